import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
// Jest's main process loads this file; it resolves no other extension.
import { startCarrierProcesses, type CarrierAddresses, type CarrierProcesses } from './carrier-processes.ts';

/** What ask-shared.ts sends: of a command its arguments and settings, of a carrier where its database is to be. */
interface Asked {
  args: string[];
  settings: NodeJS.ProcessEnv;
  postgresServer: string;
}

/**
 * Processes that several test files use, because the start of each takes seconds of CPU time. Test files run in Jest's
 * workers; these processes belong to its main process, start when a file first asks for one, and end with the suite.
 */
export class SharedProcesses {
  private host: ChildProcess | null = null;
  private carrier: Promise<CarrierProcesses> | null = null;
  private asked = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(): Promise<SharedProcesses> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const shared = new SharedProcesses(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', async (request, response) => {
      try {
        response.end(JSON.stringify(await shared.answer(request)));
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
    return shared;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    this.host?.disconnect();
    const carrier = await this.carrier?.catch(() => null);
    await carrier?.service.stop();
    carrier?.stopCarrier();
  }

  private async answer(request: IncomingMessage): Promise<unknown> {
    const asked = (await json(request)) as Asked;
    if (request.url === '/commands') return this.command(asked);
    if (request.url === '/carrier') return this.carrierAddresses(asked);
    throw new Error(`nothing is at ${request.url}`);
  }

  /** The host does one command after the other. */
  private async command({ args, settings }: Asked): Promise<unknown> {
    this.host ??= fork('test/support/command-host.mjs', { env: settings, execArgv: [] }).setMaxListeners(0);
    const { host } = this;
    const id = (this.asked += 1);
    host.send({ id, args, settings });
    const gone = new AbortController();
    host.once('exit', () => gone.abort());
    for (;;) {
      const [answer] = (await once(host, 'message', { signal: gone.signal })) as [{ id: number }];
      if (answer.id === id) return answer;
    }
  }

  private async carrierAddresses({ postgresServer }: Asked): Promise<CarrierAddresses> {
    this.carrier ??= startCarrierProcesses(postgresServer, async (url) => url, 80, {});
    const { postgresUrl, serviceUrl, sandboxUrl, authToken, env } = await this.carrier;
    return { postgresUrl, serviceUrl, sandboxUrl, authToken, env };
  }
}
