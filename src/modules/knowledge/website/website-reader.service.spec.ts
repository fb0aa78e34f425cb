import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { httpServer } from '#src/common/outbound-http/local-server.fake.js';
import { OutboundBench } from '#src/common/outbound-http/outbound-bench.fake.js';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { ExtractionTask } from '../extraction/extract.js';
import { anExtractor } from '../extraction/documents.fake.js';
import { Pause } from './host-turns.js';
import { MAX_PAGE_BYTES } from './page-reader.js';
import { WebsiteReaderService } from './website-reader.service.js';

type Pages = Record<string, string | RequestListener>;

class CountedPause extends Pause {
  count = 0;
  override wait(): Promise<void> {
    this.count++;
    return Promise.resolve();
  }
}

const aPage = (text: string, head = ''): string =>
  `<html><head>${head}</head><body><p>${text}</p></body></html>`;
const redirect =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

describe('WebsiteReaderService', () => {
  let bench: OutboundBench;
  let pause: CountedPause;
  let seen: string[];
  beforeEach(() => {
    bench = new OutboundBench();
    pause = new CountedPause();
    seen = [];
  });
  afterEach(() => bench.close());

  /** @returns its address, without a slash at the end */
  async function aSite(pages: Pages): Promise<string> {
    const listener: RequestListener = (request, response) => {
      const path = request.url ?? '';
      seen.push(path);
      const page = pages[path];
      if (page === undefined) response.writeHead(404).end();
      else if (typeof page === 'string') response.setHeader('content-type', 'text/html').end(page);
      else page(request, response);
    };
    const { port } = await bench.serving(httpServer(listener));
    return `http://127.0.0.1:${port}`;
  }

  async function read(links: string[], relativeLinksLimit = 10, http = bench.http) {
    const reader = new WebsiteReaderService(http, pause, anExtractor);
    const found: [path: string, text: string][] = [];
    for await (const { url, text } of reader.read({ links, relativeLinksLimit, accountId: 1 }))
      found.push([new URL(url).pathname, text.chunks.map((chunk) => chunk.text).join(' ')]);
    return found;
  }

  it('reads the named page and pages of its host up to the limit, each once', async () => {
    const site = await aSite({
      '/': aPage(
        'Start <a href="/b">b</a> <a href="/a?utm_source=x">a</a> <a href="/a">a</a> <a href="http://other.example/">o</a>',
      ),
      '/a?utm_source=x': aPage('Page a <a href="/c">c</a>'),
      '/b': aPage('Page b <a href="/">start</a> <a href="/a.zip">zip</a>'),
      '/c': aPage('Page c'),
    });
    expect(await read([`${site}/`], 2)).toEqual([
      ['/', 'Start b a a o'],
      ['/b', 'Page b start zip'],
      ['/a', 'Page a c'],
    ]);
    expect(seen).toEqual(['/robots.txt', '/', '/b', '/a?utm_source=x']);
    expect(pause.count).toBe(seen.length);
  });

  it('reads a named page to which another one links', async () => {
    const site = await aSite({ '/a': aPage('Page a <a href="/b">b</a>'), '/b': aPage('Page b') });
    const found = await read([`${site}/a`, `${site}/b`], 0);
    expect(found.map(([path]) => path)).toEqual(['/a', '/b']);
  });

  it('follows links of found pages, and asks for no page more than it keeps', async () => {
    const site = await aSite({
      '/': aPage('Start <a href="/a">a</a>'),
      '/a': aPage('Page a <a href="/b">b</a><a href="/c">c</a>'),
      '/b': aPage('Page b <a href="/d">d</a>'),
    });
    expect((await read([`${site}/`], 2)).map(([path]) => path)).toEqual(['/', '/a', '/b']);
    expect(seen).toEqual(['/robots.txt', '/', '/a', '/b']);
  });

  it('reads the next page while the text of the one before is extracted', async () => {
    const site = await aSite({ '/a': aPage('Page a'), '/b': aPage('Page b') });
    const isSeen = async () => {
      while (!seen.includes('/b')) await new Promise(setImmediate);
    };
    const extractor = () => {
      const { run, close } = anExtractor();
      return { close, run: async (task: ExtractionTask) => (await isSeen(), run(task)) };
    };
    const reader = new WebsiteReaderService(bench.http, pause, extractor);
    const links = [`${site}/a`, `${site}/b`];
    const found: string[] = [];
    for await (const { url } of reader.read({ links, relativeLinksLimit: 0, accountId: 1 }))
      found.push(new URL(url).pathname);
    expect(found).toEqual(['/a', '/b']);
  });

  it('keeps pages with the same text or the same canonical address once', async () => {
    const canonical = '<link rel="canonical" href="/first">';
    const site = await aSite({
      '/first': aPage('One <a href="/second">2</a><a href="/third">3</a><a href="/fourth">4</a>', canonical),
      '/second': aPage('Two', canonical),
      '/third': aPage('Three'),
      '/fourth': aPage('Three'),
    });
    expect((await read([`${site}/first`])).map(([path]) => path)).toEqual(['/first', '/third']);
  });

  it('obeys robots.txt for named and for found pages', async () => {
    const site = await aSite({
      '/robots.txt': (_, response) => void response.end('User-agent: *\nDisallow: /private'),
      '/': aPage('Start <a href="/private/a">a</a>'),
      '/private/a': aPage('Secret'),
    });
    expect(await read([`${site}/`])).toEqual([['/', 'Start a']]);
    await expect(read([`${site}/private/a`])).rejects.toThrow('does not permit');
    expect(seen).not.toContain('/private/a');
  });

  it('checks every redirect: address, robots.txt and number', async () => {
    const site = await aSite({
      '/inner': redirect('http://10.0.0.1/'),
      '/file': redirect('file:///etc/passwd'),
      '/loop': redirect('/loop'),
      '/robots.txt': (_, response) => void response.end('User-agent: *\nDisallow: /no'),
      '/to-no': redirect('/no'),
      '/moved': redirect('/new'),
      '/new': aPage('Moved here'),
    });
    await expect(read([`${site}/inner`])).rejects.toThrow('http://10.0.0.1/');
    await expect(read([`${site}/file`])).rejects.toThrow('file:///etc/passwd is not an address of a website');
    await expect(read([`${site}/loop`])).rejects.toThrow('redirects more than 5 times');
    await expect(read([`${site}/to-no`])).rejects.toThrow('does not permit');
    expect(await read([`${site}/moved`])).toEqual([['/new', 'Moved here']]);
  });

  it('reaches no private address', async () => {
    const site = await aSite({ '/': aPage('Inner') });
    const strict = new OutboundHttpService({ allowCidrs: [], userAgent: 'Spec/1.0' });
    await expect(read([`${site}/`], 1, strict)).rejects.toThrow('no address that can be reached');
    expect(seen).toEqual([]);
    await strict.close();
  });

  it('ends a page without end at its limit, and closes the connection', async () => {
    let bytes = 0;
    const endless: RequestListener = (_, response) => {
      response.setHeader('content-type', 'text/html');
      const write = (): void => {
        bytes += 65_536;
        if (!response.destroyed) response.write('a '.repeat(32_768), () => setImmediate(write));
      };
      write();
    };
    const site = await aSite({ '/': endless });
    await expect(read([`${site}/`])).rejects.toThrow('is longer than');
    expect(bytes).toBeLessThan(MAX_PAGE_BYTES * 10);
  });

  const typed =
    (type: string, body: Buffer | string): RequestListener =>
    (_, response) =>
      void response.writeHead(200, type ? { 'content-type': type } : {}).end(body);

  it('reads charsets of the header, types of text, and pages without a type', async () => {
    const site = await aSite({
      '/latin': typed('text/html; charset=windows-1251', Buffer.from('<p>\xc4\xce\xcc</p>', 'latin1')),
      '/wrong': typed('text/html; charset=utf-8', Buffer.from('<p>f\xfcr alle</p>', 'latin1')),
      '/text': typed('text/plain', 'Plain words'),
      '/none': typed('', '<p>No type</p>'),
    });
    const links = ['/latin', '/wrong', '/text', '/none'].map((path) => site + path);
    expect((await read(links)).map(([, text]) => text)).toEqual([
      'ДОМ',
      'für alle',
      'Plain words',
      'No type',
    ]);
  });

  it.each([
    ['a missing page', '/gone', 'answers with status 404'],
    ['a picture', '/picture', 'its type is image/png'],
    ['a page without text', '/empty', 'The website has no text'],
  ])('gives a reason for %s', async (_, path, reason) => {
    const site = await aSite({ '/picture': typed('image/png', 'x'), '/empty': aPage('') });
    await expect(read([site + path])).rejects.toThrow(reason);
  });

  it('reads nothing while robots.txt fails', async () => {
    const site = await aSite({ '/robots.txt': (_, response) => void response.writeHead(503).end() });
    await expect(read([`${site}/`])).rejects.toThrow('robots.txt answers with status 503');
  });
});
