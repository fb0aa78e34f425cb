import { createServer, type Server } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The service pauses between two pages of a host: with several, it shows what reading itself takes. */
const HOSTS = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 1}`);

/** The pages of a manual as a website of several hosts, on loopback addresses of Linux. */
export class ManualSite {
  private constructor(
    private readonly servers: Server[],
    /** Addresses of all pages, in turn by host. */
    readonly links: string[],
  ) {}

  /** @param folder of HTML pages */
  static async open(folder: string): Promise<ManualSite> {
    const pages = readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .sort();
    if (pages.length === 0) throw new Error(`there are no pages in ${folder}`);
    const known = new Set(pages);
    const servers: Server[] = [];
    let port = 0;
    for (const host of HOSTS) {
      const server = createServer((request, response) => {
        const page = (request.url ?? '').slice(1);
        if (known.has(page))
          response.setHeader('content-type', 'text/html').end(readFileSync(join(folder, page)));
        else response.writeHead(404).end();
      });
      await new Promise<void>((resolve) => server.listen(port, host, resolve));
      ({ port } = server.address() as AddressInfo);
      servers.push(server);
    }
    return new ManualSite(
      servers,
      pages.map((page, index) => `http://${HOSTS[index % HOSTS.length]}:${port}/${page}`),
    );
  }

  close(): void {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}
