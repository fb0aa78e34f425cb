import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards all requests to the sandbox, streams too, and counts the requests to the language model. */
export class CountingModel {
  private readonly server: Server;
  private target = '';
  requests = 0;

  private constructor() {
    this.server = createServer((incoming, response) => {
      if (incoming.url?.endsWith('/chat/completions')) this.requests += 1;
      const { method, headers, url = '' } = incoming;
      const passed = request(`${this.target}${url}`, { method: method ?? 'GET', headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      incoming.pipe(passed);
    });
  }

  static async open(): Promise<CountingModel> {
    const model = new CountingModel();
    await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** @param sandboxUrl without a path */
  passTo(sandboxUrl: string): void {
    this.target = sandboxUrl;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
