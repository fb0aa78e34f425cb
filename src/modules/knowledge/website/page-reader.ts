import type { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import type { PageTask } from '../extraction/extract.js';
import { ExtractionError } from '../extraction/extracted-text.js';
import type { HostTurns } from './host-turns.js';
import { ALL_PERMITTED, parseRobots, type RobotsRules } from './robots.js';

export const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const MAX_ROBOTS_BYTES = 512 * 1024;
const MAX_REDIRECTS = 5;
const PAGE_TIMEOUT_MS = 30_000;
/** The product token of the service's `User-Agent`. */
const AGENT = 'voiceassistantcalls';
const ACCEPT = 'text/html,application/xhtml+xml,text/plain;q=0.8,text/markdown;q=0.8';

/** Reads pages of one document, at most one at a time. Each redirect meets the same checks as the first address. */
export class PageReader {
  private readonly robots = new Map<string, RobotsRules>();

  constructor(
    private readonly http: Pick<OutboundHttpService, 'request'>,
    private readonly turns: HostTurns,
    private readonly accountId: number,
  ) {}

  /** @returns the page with its last address. @throws ExtractionError */
  async read(link: string): Promise<PageTask> {
    const { url, response } = await this.follow(link, async (target) => {
      if (!(await this.permitted(target)))
        throw new ExtractionError(`${target.host} does not permit to read ${target.href} (robots.txt).`);
      return this.request(target, MAX_PAGE_BYTES);
    });
    if (response.statusCode !== 200)
      throw new ExtractionError(`${url.href} answers with status ${response.statusCode}.`);
    if (response.unreadable)
      throw new ExtractionError(`${url.href} has a compression that is not supported.`);
    if (response.truncated) throw new ExtractionError(`${url.href} is longer than ${MAX_PAGE_BYTES} bytes.`);
    const bytes = new Uint8Array(response.bytes ?? []);
    const contentType = response.headers['content-type'] ?? '';
    return { type: typeOf(contentType, url, bytes), bytes, url: url.href, charset: charsetOf(contentType) };
  }

  private async follow(
    link: string,
    request: (target: URL) => Promise<OutboundResult>,
  ): Promise<{ url: URL; response: OutboundResult & { ok: true } }> {
    let url = parse(link);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await request(url);
      if (!response.ok) throw new ExtractionError(`${url.href} cannot be read. ${response.message}`);
      const { location } = response.headers;
      if (!isRedirect(response.statusCode) || !location) return { url, response };
      if (!URL.canParse(location, url.href))
        throw new ExtractionError(`${url.href} redirects to no valid address.`);
      url = parse(new URL(location, url.href).href);
    }
    throw new ExtractionError(`${link} redirects more than ${MAX_REDIRECTS} times.`);
  }

  private request(url: URL, maxResponseBytes: number): Promise<OutboundResult> {
    return this.turns.take(url.host, () =>
      this.http.request({
        method: 'GET',
        url: url.href,
        headers: { accept: ACCEPT },
        span: { name: 'website page', attributes: { 'account.id': this.accountId } },
        timeoutMs: PAGE_TIMEOUT_MS,
        maxResponseBytes,
        wantsBytes: true,
      }),
    );
  }

  private async permitted({ origin, pathname, search }: URL): Promise<boolean> {
    let rules = this.robots.get(origin);
    if (!rules) {
      rules = await this.readRobots(origin);
      this.robots.set(origin, rules);
    }
    return rules.permits(pathname + search);
  }

  /** Without a robots.txt all is permitted; while its server fails, nothing is (RFC 9309, 2.3.1). */
  private async readRobots(origin: string): Promise<RobotsRules> {
    const { response } = await this.follow(`${origin}/robots.txt`, (target) =>
      this.request(target, MAX_ROBOTS_BYTES),
    );
    if (response.statusCode >= 500 || response.statusCode === 429)
      throw new ExtractionError(`${origin}/robots.txt answers with status ${response.statusCode}.`);
    if (response.statusCode !== 200) return ALL_PERMITTED;
    return parseRobots(response.bytes?.toString('utf8') ?? '', AGENT);
  }
}

function parse(link: string): URL {
  const url = URL.canParse(link) ? new URL(link) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ExtractionError(`${link} is not an address of a website.`);
  url.hash = '';
  return url;
}

const isRedirect = (statusCode: number): boolean => [301, 302, 303, 307, 308].includes(statusCode);

/** A server that names no type sends HTML more often than not. */
function typeOf(contentType: string, url: URL, bytes: Uint8Array): 'html' | 'text' {
  const mime = contentType.split(';', 1).join('').trim().toLowerCase();
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return 'html';
  if (mime === 'text/plain' || mime === 'text/markdown') return 'text';
  if (mime === '') return Buffer.from(bytes.subarray(0, 256)).includes('<') ? 'html' : 'text';
  throw new ExtractionError(`${url.href} is not a page with text: its type is ${mime.slice(0, 80)}.`);
}

const charsetOf = (contentType: string): string | null =>
  /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? null;
