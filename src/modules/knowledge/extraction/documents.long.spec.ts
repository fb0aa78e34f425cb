import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { strToU8, zipSync } from 'fflate';
import { aDocx, aParagraph, aPdf, pdfOf } from './documents.fake.js';
import { docxText } from './docx-text.js';
import { htmlPage } from './html-page.js';
import { MAX_PDF_PAGES, pdfText } from './pdf-text.js';

const found = (blocks: readonly { headings: string[]; text: string }[]) =>
  blocks.map(({ headings, text }) => [...headings, text]);

describe('pdfText', () => {
  const page = (number: number) => [
    { text: 'Manual of the shop', y: 780 },
    { text: `Chapter ${number}`, size: 18, y: 740 },
    { text: `The opening hours of department ${number} are re-`, y: 700 },
    { text: 'markable and end here.', y: 688 },
    { text: 'A second paragraph follows.', y: 650 },
    { text: `Page ${number}`, y: 20 },
  ];

  it('keeps pages and headings, joins lines and leaves out running titles', async () => {
    const { blocks } = await pdfText(aPdf([1, 2, 3, 4].map(page)));
    expect(blocks.slice(2, 4)).toEqual([
      {
        text: 'The opening hours of department 2 are remarkable and end here.',
        headings: ['Chapter 2'],
        page: 2,
        url: null,
      },
      { text: 'A second paragraph follows.', headings: ['Chapter 2'], page: 2, url: null },
    ]);
    expect(blocks).toHaveLength(8);
  });

  it('does not run a script', async () => {
    const script = '/OpenAction << /S /JavaScript /JS (globalThis.ran = true; app.alert\\(1\\)) >>';
    await pdfText(aPdf([page(1)], script));
    expect('ran' in globalThis).toBe(false);
  });

  it.each([
    ['a page without text', aPdf([[]]), 'it is scanned'],
    [
      'scanned pages with a stamp',
      aPdf(Array.from({ length: 5 }, () => [{ text: 'SCAN', y: 10 }])),
      'it is scanned',
    ],
    ['another file', Buffer.from('hello'), 'not a PDF'],
    ['a damaged file', Buffer.from('%PDF-1.7\nnothing'), 'damaged'],
    [
      'too many pages',
      pdfOf(
        Array.from({ length: 10_000 }, () => '<< >>'),
        '',
      ),
      `10000 pages; the limit is ${MAX_PDF_PAGES}`,
    ],
  ])('refuses %s', async (_, bytes, reason) => {
    await expect(pdfText(new Uint8Array(bytes))).rejects.toThrow(reason);
  });
});

describe('docxText', () => {
  it('keeps headings and rows of tables', async () => {
    const cell = (text: string) => `<w:tc>${aParagraph(text)}</w:tc>`;
    const body = [
      aParagraph('Shop', 'Heading1'),
      aParagraph('Hours', 'Heading2'),
      aParagraph('Open from nine.'),
      `<w:tbl><w:tr>${cell('Coffee')}${cell('3 EUR')}</w:tr></w:tbl>`,
    ];
    const { blocks } = await docxText(aDocx(body.join('')));
    expect(found(blocks)).toEqual([
      ['Shop', 'Hours', 'Open from nine.'],
      ['Shop', 'Hours', 'Coffee | 3 EUR'],
    ]);
  });

  it('loads no external entity', async () => {
    let requests = 0;
    const server = createServer(() => void requests++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const doctype = `<!DOCTYPE w [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY net SYSTEM "http://127.0.0.1:${port}/">]>`;
    const result = await docxText(aDocx(aParagraph('Text &file; &net;'), doctype)).catch(String);
    expect(JSON.stringify(result)).not.toContain('root:');
    expect(requests).toBe(0);
    server.close();
  });

  it('does not multiply nested entities', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
    );
    const doctype = `<!DOCTYPE w [<!ENTITY e0 "laugh">${levels.join('')}]>`;
    const result = await docxText(aDocx(aParagraph('Text &e12;'), doctype)).catch(String);
    expect(JSON.stringify(result).length).toBeLessThan(1_000);
  });

  const bomb = { 'word/document.xml': new Uint8Array(70 * 1024 * 1024) };
  it.each([
    ['a zip bomb', zipSync(bomb), 'too large when it is unpacked'],
    ['an archive without a document', zipSync({ 'a.txt': strToU8('a') }), 'not a Word document'],
    ['another file', strToU8('hello'), 'not a Word document'],
    ['an old document', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old format or has a password'],
    ['a document without text', aDocx(aParagraph(' ')), 'no text'],
    [
      'too many parts',
      zipSync(
        Object.fromEntries(
          Array.from({ length: 5_001 }, (_unused, index) => [`p${index}`, new Uint8Array()]),
        ),
      ),
      'too many parts',
    ],
  ])('refuses %s', async (_, bytes, reason) => {
    await expect(docxText(bytes)).rejects.toThrow(reason);
  });

  it('reserves no more memory for a part than its archive names', async () => {
    const bytes = Buffer.from(zipSync(bomb));
    // The central directory names ten bytes instead of 70 MB.
    bytes.writeUInt32LE(10, bytes.lastIndexOf('PK\x01\x02') + 24);
    await expect(docxText(bytes)).rejects.toBeInstanceOf(Error);
  });
});

describe('htmlPage', () => {
  const html = `<!doctype html><html><head><title>Hours – Shop</title><link rel="canonical" href="/hours"></head><body>
    <nav><a href="/">Start</a><a href="mailto:a@example.com">Mail</a></nav><div id="cookie"><script>alert(1)</script></div>
    <main><h1>Opening hours</h1><p>The shop is <b>open</b> on all days of the week except Monday.</p>
    <h2>Holidays</h2><ul><li>Closed at Christmas, which is a long text to be read by people.</li><li>Open at Easter.</li></ul>
    <table><tr><th>Day</th><th>Hours</th></tr><tr><td>Tuesday</td><td>9–17</td></tr></table>
    <a href="more.html#part">More</a> <a href="more.html">More</a> <a rel="nofollow" href="/login">Log in</a></main>
    <footer>Imprint of the shop</footer></body></html>`;

  it('keeps headings, and leaves out navigation and footer', () => {
    const page = htmlPage(html, 'https://example.com/a/');
    expect(page.title).toBe('Hours – Shop');
    expect(page.canonical).toBe('https://example.com/hours');
    expect(page.links).toEqual(['https://example.com/', 'https://example.com/a/more.html']);
    expect(found(page.blocks)).toEqual([
      ['Opening hours', 'The shop is open on all days of the week except Monday.'],
      ['Opening hours', 'Holidays', 'Closed at Christmas, which is a long text to be read by people.'],
      ['Opening hours', 'Holidays', 'Open at Easter.'],
      ['Opening hours', 'Holidays', 'Day | Hours'],
      ['Opening hours', 'Holidays', 'Tuesday | 9–17'],
      ['Opening hours', 'Holidays', 'More More Log in'],
    ]);
  });

  it.each(['', 'plain words', '<p>one', '<html><body>plain words'])('reads the odd page %j', (odd) => {
    expect(htmlPage(odd, 'https://example.com/').links).toEqual([]);
  });

  it('reads a page that nests deeply', () => {
    const page = htmlPage(`<html><body>${'<div>'.repeat(1_000)}deep text`, 'https://example.com/');
    expect(page.blocks.map(({ text }) => text)).toEqual(['deep text']);
  });
});
