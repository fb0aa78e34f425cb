import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

interface Document {
  id: number;
  status: string;
  failure_reason: string | null;
  chunks_count: number;
}
type One<T> = { message: string; data: T };

const PATH = '/user/knowledgebases';

/** Reading of files and websites: `src/modules/knowledge/extraction` and `website`. */
describe('processing of documents', () => {
  let user: TestAccount;
  let base: number;
  let path: string;

  beforeAll(async () => {
    user = await anAccount();
    base = await aBase();
    path = `${PATH}/${base}/documents`;
  });

  async function aBase(): Promise<number> {
    return (await user.client.post<One<{ id: number }>>(PATH, { name: 'Help' })).body.data.id;
  }

  async function upload(text: string, at = path): Promise<number> {
    const form = new FormData();
    form.append('name', 'Hours');
    form.append('type', 'txt');
    form.append('file', new Blob([text]), 'hours.txt');
    const { status, body } = await user.client.send<One<Document>>('POST', at, form);
    expect([status, body.data.id]).toEqual([201, expect.any(Number)]);
    return body.data.id;
  }

  const show = async (id: number, at = path) =>
    (await user.client.get<One<Document>>(`${at}/${id}`)).body.data;
  const processed = (id: number, at = path) =>
    until(async () => {
      const document = await show(id, at);
      return document.status === 'processing' ? null : document;
    });
  const statusOf = async (id: number) =>
    (await user.client.get<One<{ status: string }>>(`${PATH}/${id}`)).body.data.status;

  /** As a process leaves it that died while it worked on the document. */
  async function anAbandoned(content: string, attempts: number, chunks = 0): Promise<number> {
    const { rows } = await database().query<{ id: number }>(
      `INSERT INTO knowledge_documents (account_id, knowledge_base_id, name, type, due_at, claims, attempts)
       VALUES ($1, $2, 'Hours', 'txt', now() + interval '1 hour', $3, $3) RETURNING id`,
      [user.id, base, attempts],
    );
    const id = rows[0]?.id ?? 0;
    await database().query('INSERT INTO knowledge_files (document_id, content) VALUES ($1, $2)', [
      id,
      Buffer.from(content),
    ]);
    for (let seq = 1; seq <= chunks; seq++)
      await database().query(
        `INSERT INTO knowledge_chunks (document_id, seq, knowledge_base_id, text, headings, search)
         VALUES ($1, $2, $3, 'Old', '{}', '')`,
        [id, seq, base],
      );
    // Its lease ends.
    await database().query('UPDATE knowledge_documents SET due_at = now() WHERE id = $1', [id]);
    return id;
  }

  it('makes a file active, shows its passages in order and keeps no file', async () => {
    const own = await aBase();
    const at = `${PATH}/${own}/documents`;
    expect(await statusOf(own)).toBe('empty');
    const id = await upload('Open from 9 to 5.\n\nClosed on Sundays.', at);
    const document = await processed(id, at);
    expect(document).toMatchObject({ status: 'active', failure_reason: null });
    expect(document.chunks_count).toBeGreaterThan(0);
    expect(await statusOf(own)).toBe('active');
    const { body } = await user.client.get<{ data: { text: string; seq: number }[]; total: number }>(
      `${at}/${id}/chunks`,
    );
    expect(body.total).toBe(document.chunks_count);
    expect(body.data.map(({ seq }) => seq)).toEqual(body.data.map((_, index) => index + 1));
    expect(body.data.map(({ text }) => text).join('\n\n')).toBe('Open from 9 to 5.\n\nClosed on Sundays.');
    const { rows } = await database().query('SELECT 1 FROM knowledge_files WHERE document_id = $1', [id]);
    expect(rows).toEqual([]);
    await user.client.delete(`${at}/${id}`);
    expect(await statusOf(own)).toBe('empty');
  });

  it('fails a document without text, with the reason', async () => {
    const own = await aBase();
    const at = `${PATH}/${own}/documents`;
    const document = await processed(await upload('  \n\n ', at), at);
    expect(document).toMatchObject({ status: 'failed', chunks_count: 0 });
    expect(document.failure_reason).toEqual(expect.stringContaining('text'));
    expect(await statusOf(own)).toBe('failed');
  });

  it('goes on with a document whose process has died, and has no passage twice', async () => {
    const id = await anAbandoned('Open from 9 to 5.', 1, 2);
    expect(await processed(id)).toMatchObject({ status: 'active', chunks_count: 1 });
    const { rows } = await database().query('SELECT text FROM knowledge_chunks WHERE document_id = $1', [id]);
    expect(rows).toEqual([{ text: 'Open from 9 to 5.' }]);
  });

  it('gives up a document on which three processes have died', async () => {
    const id = await anAbandoned('Open from 9 to 5.', 3);
    expect(await processed(id)).toMatchObject({
      status: 'failed',
      failure_reason: 'The document could not be processed: every attempt was interrupted.',
    });
  });

  it('reads a website again, but not a file, which is not kept', async () => {
    const { body } = await user.client.post<One<Document>>(path, {
      name: 'Help',
      type: 'website',
      url: 'https://192.0.2.1/',
    });
    const website = body.data.id;
    const failed = await processed(website);
    expect(failed).toMatchObject({ status: 'failed', failure_reason: expect.any(String) });
    const again = await user.client.post<One<Document>>(`${path}/${website}/refresh`);
    expect([again.status, again.body.message, again.body.data.failure_reason]).toEqual([
      200,
      'Document will be read again shortly.',
      null,
    ]);
    expect(await processed(website)).toMatchObject({ status: 'failed' });
    const file = await user.client.post(`${path}/${await upload('Text')}/refresh`);
    expect([file.status, file.body]).toEqual([
      422,
      { message: 'Only a website can be read again. Create a new document with the file.' },
    ]);
  });
});
