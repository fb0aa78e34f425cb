import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { zipSync } from 'fflate';
import { httpServer, type LocalServer } from '#src/common/outbound-http/local-server.fake.js';
import {
  aDocx,
  aParagraph,
  aPdf,
  aPdfBomb,
  pdfOf,
} from '#src/modules/knowledge/extraction/documents.fake.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { until } from '../support/until.js';

interface Document {
  id: number;
  status: string;
  failure_reason: string | null;
}
type One<T> = { data: T };

const MEGABYTE = 1024 * 1024;
const SECRET = 'the secret of another server';

/** The rules themselves: `src/modules/knowledge/extraction` and `website`. */
describe('hostile documents', () => {
  let user: TestAccount;
  let other: TestAccount;
  let site: LocalServer;
  let sentBytes = 0;
  const asked: string[] = [];

  const endless: RequestListener = (_, response) => {
    response.setHeader('content-type', 'text/html');
    const text = 'a '.repeat(32 * 1024);
    const write = (): void => {
      if (response.destroyed || sentBytes > 2_000 * MEGABYTE) return;
      sentBytes += text.length;
      response.write(text, () => setImmediate(write));
    };
    write();
  };

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount({ plan: 'unlimited' }), anAccount({ plan: 'unlimited' })]);
    site = await httpServer((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      if (path === '/2gb') endless(request, response);
      else if (path === '/secret') response.end(SECRET);
      else if (path.startsWith('/again'))
        response.writeHead(302, { location: `/again/${Math.random()}` }).end();
      else response.writeHead(404).end();
    });
  });
  afterAll(() => site.close());

  const baseOf = async ({ client }: TestAccount) =>
    `/user/knowledgebases/${(await client.post<One<{ id: number }>>('/user/knowledgebases', { name: 'Help' })).body.data.id}`;

  async function upload(base: string, type: string, bytes: Uint8Array, { client } = user): Promise<string> {
    const form = new FormData();
    form.append('name', type);
    form.append('type', type);
    form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), `file.${type}`);
    const { status, body } = await client.send<One<Document>>('POST', `${base}/documents`, form);
    expect([status, body]).toEqual([201, expect.anything()]);
    return `${base}/documents/${body.data.id}`;
  }

  async function link(base: string, path: string): Promise<string> {
    const { body } = await user.client.post<One<Document>>(`${base}/documents`, {
      name: path,
      type: 'website',
      url: `http://127.0.0.1:${site.port}${path}`,
    });
    return `${base}/documents/${body.data.id}`;
  }

  const processed = (path: string, { client } = user) =>
    until(async () => {
      const { data } = (await client.get<One<Document>>(path)).body;
      return data.status === 'processing' ? null : data;
    });
  const wordsOf = async (path: string) =>
    JSON.stringify((await user.client.get<One<{ text: string }[]>>(`${path}/chunks`)).body);

  it('fail with a reason, and other documents are processed', async () => {
    const base = await baseOf(user);
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(70 * MEGABYTE) });
    const pages = Array.from({ length: 10_000 }, () => '<< >>');
    const documents: [path: string, reason: RegExp][] = [
      [await upload(base, 'docx', bomb), /too large when it is unpacked/],
      [await upload(base, 'pdf', aPdfBomb(400)), /too much memory|not read within/],
      [await upload(base, 'pdf', pdfOf(pages, '')), /10000 pages; the limit is/],
      [await link(base, '/again'), /redirects more than 5 times/],
      [await link(base, '/2gb'), /is longer than/],
    ];
    const good = await upload(base, 'txt', Buffer.from('Open from nine.'));
    const foreign = await upload(await baseOf(other), 'txt', Buffer.from('Open from ten.'), other);
    for (const [path, reason] of documents)
      expect(await processed(path)).toMatchObject({
        status: 'failed',
        failure_reason: expect.stringMatching(reason),
      });
    expect(await processed(good)).toMatchObject({ status: 'active' });
    expect(await processed(foreign, other)).toMatchObject({ status: 'active' });
    expect(sentBytes).toBeLessThan(100 * MEGABYTE);
  });

  it('run no script and load nothing', async () => {
    const base = await baseOf(user);
    const script = `/OpenAction << /S /JavaScript /JS (app.launchURL\\('http://127.0.0.1:${site.port}/script'\\)) >>`;
    const doctype = `<!DOCTYPE w [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY net SYSTEM "http://127.0.0.1:${site.port}/secret">]>`;
    const pdf = await upload(base, 'pdf', aPdf([[{ text: 'Open from nine.', y: 700 }]], script));
    const docx = await upload(base, 'docx', aDocx(aParagraph('Open &file; &net; daily.'), doctype));
    expect((await processed(pdf)).status).toBe('active');
    expect(await wordsOf(pdf)).toContain('Open from nine.');
    const { status, failure_reason } = await processed(docx);
    if (status === 'failed') expect(failure_reason).toEqual(expect.any(String));
    else expect(await wordsOf(docx)).not.toMatch(/root:|secret/);
    expect(asked).not.toContain('/script');
    expect(asked).not.toContain('/secret');
  });

  it('of another charset than they name fail, or are read as they are', async () => {
    const base = await baseOf(user);
    const latin = Buffer.from('Für alle geöffnet.', 'latin1');
    const wrong = await upload(base, 'txt', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), latin]));
    const unnamed = await upload(base, 'txt', latin);
    expect(await processed(wrong)).toMatchObject({ status: 'failed', failure_reason: expect.any(String) });
    expect((await processed(unnamed)).status).toBe('active');
    expect(await wordsOf(unnamed)).toContain('Für alle geöffnet.');
  });
});
