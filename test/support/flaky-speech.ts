import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What happens to the requests of a provider, by the first part of its address. `after`: the requests that succeed. */
interface Flaw {
  path: '/audio/speech' | '/audio/transcriptions';
  after: number;
  status: number;
}

/** Forwards requests to an endpoint of speech; some providers fail. */
export class FlakySpeech {
  private readonly requests: string[] = [];
  private target = { url: '', key: '' };

  private constructor(
    private readonly server: Server,
    private readonly flaws: Record<string, Flaw>,
  ) {
    server.on('request', (request, response) => {
      void this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(flaws: Record<string, Flaw>): Promise<FlakySpeech> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FlakySpeech(server, flaws);
  }

  /** @param url with the version, as in `LLM_BASE_URL` */
  forwardTo(url: string, key: string): void {
    this.target = { url, key };
  }

  /** The base address of one of the providers. */
  urlOf(name: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/([\w-]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const earlier = this.requests.filter((one) => one === `${name}${path}`).length;
    this.requests.push(`${name}${path}`);
    const flaw = this.flaws[name];
    if (flaw?.path === path && earlier >= flaw.after) return void response.writeHead(flaw.status).end();
    const headers = {
      authorization: `Bearer ${this.target.key}`,
      'content-type': request.headers['content-type'] ?? '',
    };
    const answer = await fetch(this.target.url + path, {
      method: 'POST',
      headers,
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  }
}
