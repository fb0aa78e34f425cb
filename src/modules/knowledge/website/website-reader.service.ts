import { createHash } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { Extraction, PageTask } from '../extraction/extract.js';
import { ExtractionError, type WebsitePage, type WebsiteRequest } from '../extraction/extracted-text.js';
import { ExtractionProcess, type Extractor } from '../extraction/extraction-process.js';
import { HostTurns, Pause, TimerPause } from './host-turns.js';
import { PageReader } from './page-reader.js';

/** Requests for each page that may be kept: others fail, redirect away or are duplicates. */
const TRIES_PER_PAGE = 3;
const NO_PAGE =
  /\.(?:7z|avi|bmp|css|csv|docx?|eot|exe|gif|gz|ico|jpe?g|js|json|mp[34]|pdf|png|pptx?|rar|rss|svg|tar|ttf|webm|webp|woff2?|xlsx?|xml|zip)$/i;

/** Pages of websites: those that are named, and others of the same hosts to which they link. */
@Injectable()
export class WebsiteReaderService {
  private readonly turns: HostTurns;

  constructor(
    private readonly http: OutboundHttpService,
    @Optional() pause: Pause = new TimerPause(),
    @Optional() private readonly startReading: () => Extractor = () => new ExtractionProcess(),
  ) {
    this.turns = new HostTurns(pause);
  }

  /**
   * In the order in which they are found. A page that is named has to be readable; one that is found is left out else.
   *
   * @throws ExtractionError
   */
  async *read({ links, relativeLinksLimit, accountId }: WebsiteRequest): AsyncIterable<WebsitePage> {
    const reading = this.startReading();
    const reader = new PageReader(this.http, this.turns, accountId);
    const visit = new Visit(relativeLinksLimit * TRIES_PER_PAGE);
    const named = links.filter((link) => visit.start(link));
    try {
      for await (const { task } of readAhead(reader, () => named.shift())) {
        const page = visit.keep(await textOf(reading, task), null);
        if (page) yield page;
      }
      if (visit.kept === 0) throw new ExtractionError('The website has no text.');
      const most = visit.kept + relativeLinksLimit;
      const next = (pending: number) => (visit.kept + pending < most ? visit.next() : undefined);
      // The last page of a round may have links for the next one.
      while (visit.isWaiting && visit.kept < most) {
        for await (const { link, task } of readAhead(reader, next)) {
          const found = await textOf(reading, task).catch(rethrowUnlessUnreadable);
          const page = found && visit.keep(found, new URL(link).host);
          if (page) yield page;
        }
      }
    } finally {
      reading.close();
    }
  }
}

interface Ahead {
  link: string;
  task: Promise<PageTask>;
}

/**
 * Reads one page after another. The next one is on its way, or waits for its turn at its host, while the text of the one
 * before is extracted.
 *
 * @param next the link of the next page; `pending` pages are read, and their text is not extracted yet
 */
async function* readAhead(
  reader: PageReader,
  next: (pending: number) => string | undefined,
): AsyncIterable<Ahead> {
  const begin = (pending: number): Ahead | null => {
    const link = next(pending);
    if (link === undefined) return null;
    const task = reader.read(link);
    // Who takes the page hears of its failure.
    task.catch(() => undefined);
    return { link, task };
  };
  for (let current = begin(0); current;) {
    await current.task.catch(() => undefined);
    const following = begin(1);
    yield current;
    current = following;
  }
}

interface ReadPage extends Extraction {
  url: string;
}

async function textOf(reading: Extractor, task: Promise<PageTask>): Promise<ReadPage> {
  const read = await task;
  return { ...(await reading.run(read)), url: read.url };
}

function rethrowUnlessUnreadable(error: unknown): null {
  if (error instanceof ExtractionError) return null;
  throw error;
}

/** What was read of a website, and what is still to be read. */
class Visit {
  kept = 0;
  private readonly started = new Set<string>();
  private readonly addresses = new Set<string>();
  private readonly texts = new Set<string>();
  private readonly waiting: string[] = [];
  /** Links of pages, as they stand there. */
  private readonly seen = new Set<string>();

  /** @param room for links that are found: as many as are tried */
  constructor(private room: number) {}

  /** False: it was started before. */
  start(link: string): boolean {
    const isNew = !this.started.has(keyOf(link));
    this.started.add(keyOf(link));
    return isNew;
  }

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  next(): string | undefined {
    return this.waiting.shift();
  }

  /** @param host the only one to which it may have been redirected. @returns null: no text, elsewhere or a duplicate */
  keep({ url, title, chunks, links, canonical }: ReadPage, host: string | null): WebsitePage | null {
    const own = new URL(url).host;
    if (host !== null && own !== host) return null;
    this.start(url);
    for (const link of links) {
      if (this.room === 0) break;
      // Pages of a website have most of their links in common: an address is taken apart once.
      if (this.seen.has(link)) continue;
      this.seen.add(link);
      const target = new URL(link);
      if (target.host !== own || NO_PAGE.test(target.pathname) || !this.start(link)) continue;
      this.waiting.push(link);
      this.room--;
    }
    // A canonical address elsewhere tells nothing about what was read here.
    const address = keyOf(canonical && new URL(canonical).host === own ? canonical : url);
    const text = createHash('sha256')
      .update(chunks.map((chunk) => chunk.text).join('\n'))
      .digest('base64');
    if (chunks.length === 0 || this.addresses.has(address) || this.texts.has(text)) return null;
    this.addresses.add(address).add(keyOf(url));
    this.texts.add(text);
    this.kept++;
    return { url, text: { title, chunks } };
  }
}

/** Equal for addresses that differ in nothing that leads to another page. */
function keyOf(link: string): string {
  if (!URL.canParse(link)) return link;
  const url = new URL(link);
  // A copy: the parameters are changed in the loop.
  const names = [...url.searchParams.keys()];
  for (const name of names) if (/^(?:utm_|gclid$|fbclid$)/.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return `${url.host}${url.pathname.replace(/\/(?:index\.html?)?$/, '')}${url.search}`;
}
