import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What command.ts sends. */
interface Asked {
  args: string[];
  settings: NodeJS.ProcessEnv;
}

/**
 * Has the commands of all test files run by one process (command-host.mjs), because the start of each takes seconds of
 * CPU time. Test files run in Jest's workers; the process belongs to Jest's main process, starts with the first command
 * and ends with the suite.
 */
export class CommandServer {
  private host: ChildProcess | null = null;
  private asked = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(): Promise<CommandServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const commands = new CommandServer(server, `http://127.0.0.1:${port}`);
    server.on('request', async (request, response) => {
      try {
        response.end(JSON.stringify(await commands.answer(request)));
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
    return commands;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
    this.host?.disconnect();
  }

  /** The host does one command after the other. */
  private async answer(request: IncomingMessage): Promise<unknown> {
    const { args, settings } = (await json(request)) as Asked;
    this.host ??= fork('test/support/command-host.mjs', { env: settings, execArgv: [] }).setMaxListeners(0);
    const { host } = this;
    const id = (this.asked += 1);
    host.send({ id, args, settings });
    const gone = new AbortController();
    const end = (): void => gone.abort();
    host.once('exit', end);
    try {
      for (;;) {
        const [answer] = (await once(host, 'message', { signal: gone.signal })) as [{ id: number }];
        if (answer.id === id) return answer;
      }
    } finally {
      host.off('exit', end);
    }
  }
}
