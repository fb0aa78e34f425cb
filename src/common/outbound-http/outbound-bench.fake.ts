import type { HostResolver } from './host-resolver.js';
import { tcpServer, type LocalServer } from './local-server.fake.js';
import type { OutboundRequest, OutboundResult } from './outbound-exchange.js';
import { OutboundHttpService } from './outbound-http.service.js';

const SETTINGS = { allowCidrs: ['127.0.0.0/8'], userAgent: 'Spec/1.0' };

/** A client that may reach loopback, and everything that a spec opens beside it; `close` ends them all. */
export class OutboundBench {
  readonly http = new OutboundHttpService(SETTINGS);
  private readonly opened: { close(): Promise<void> }[] = [this.http];

  async serving(server: Promise<LocalServer>): Promise<LocalServer> {
    const listening = await server;
    this.opened.push(listening);
    return listening;
  }

  /** A server that responds to any request with these bytes. */
  answering(...answer: string[]): Promise<LocalServer> {
    return this.serving(
      tcpServer((socket) => socket.once('data', () => answer.forEach((part) => socket.write(part)))),
    );
  }

  resolving(resolver: HostResolver): OutboundHttpService {
    const client = new OutboundHttpService(SETTINGS, resolver);
    this.opened.push(client);
    return client;
  }

  request(
    target: LocalServer | string,
    more: Partial<OutboundRequest> = {},
    client = this.http,
  ): Promise<OutboundResult> {
    const url = typeof target === 'string' ? target : `http://127.0.0.1:${target.port}/path?a=1`;
    return client.request({ method: 'POST', url, timeoutMs: 5000, maxResponseBytes: 4096, ...more });
  }

  async close(): Promise<void> {
    for (const thing of this.opened) await thing.close();
  }
}
