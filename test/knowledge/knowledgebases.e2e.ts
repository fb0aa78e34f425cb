import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database } from '../support/database.js';

interface Base {
  id: number;
  name: string;
  description: string | null;
  status: string;
  status_label: string;
  documents_count: number;
  assistants_count: number;
}
interface Document {
  id: number;
  name: string;
  description: string | null;
  type: string;
  links: string[];
  relative_links_limit: number;
  size: number;
}
type One<T> = { message: string; data: T; errors?: Record<string, string[]> };
type List<T> = { data: T[] };

const PATH = '/user/knowledgebases';
const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const INVALID = 'The given data was invalid.';

async function aPlan(limits: Record<string, number>): Promise<string> {
  const name = `knowledge-${randomBytes(6).toString('hex')}`;
  const columns = Object.keys(limits);
  await database().query(
    `INSERT INTO plans (name, max_tools, max_campaigns, max_parallel_calls, price_per_minute_micros, ${columns.join()})
     VALUES ($1, 5, 5, 2, 0, ${columns.map((_, index) => `$${index + 2}`).join()})`,
    [name, ...Object.values(limits)],
  );
  return name;
}

/** Foreign, missing and invalid ids and values, and limits: test/http/matrix-*.e2e.ts. */
describe('knowledge bases', () => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
  });

  const create = async (fields: object = {}, { client } = user): Promise<Base> => {
    const { status, body } = await client.post<One<Base>>(PATH, { name: 'Returns', ...fields });
    expect([status, body.message]).toEqual([201, 'Knowledgebase created successfully.']);
    return body.data;
  };

  it('are created empty, in English unless told, and listed to their account only', async () => {
    const created = await create({ description: 'How goods are sent back.' });
    const expected = {
      id: expect.any(Number),
      name: 'Returns',
      description: 'How goods are sent back.',
      language: 'en',
      status: 'empty',
      status_label: 'Empty',
      created_at: DATE_TIME,
      updated_at: DATE_TIME,
    };
    expect(created).toEqual(expected);
    const german = await create({ name: 'Rückgabe', language: 'de' });
    expect(german).toMatchObject({ language: 'de', description: null });
    const { body } = await user.client.get<List<Base>>(PATH);
    expect(body.data.slice(0, 2)).toEqual([
      { ...german, documents_count: 0, assistants_count: 0 },
      { ...created, documents_count: 0, assistants_count: 0 },
    ]);
    expect((await other.client.get<List<Base>>(PATH)).body).toEqual({ data: [] });
  });

  it('keep the fields that an update does not name; null clears the description', async () => {
    const { id } = await create({ description: 'Old' });
    const renamed = await user.client.put<One<Base>>(`${PATH}/${id}`, { name: 'Second' });
    expect([renamed.status, renamed.body.message]).toEqual([200, 'Knowledgebase updated successfully.']);
    expect(renamed.body.data).toMatchObject({ name: 'Second', description: 'Old' });
    const cleared = await user.client.put<One<Base>>(`${PATH}/${id}`, { description: null });
    expect(cleared.body.data).toMatchObject({ name: 'Second', description: null });
  });

  it('answers a repeated creation with the same base', async () => {
    const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') };
    const [first, second] = [
      await user.client.post<One<Base>>(PATH, { name: 'Once' }, headers),
      await user.client.post<One<Base>>(PATH, { name: 'Once' }, headers),
    ];
    expect(second.body).toEqual(first.body);
  });

  it('are deleted with their documents', async () => {
    const { id } = await create();
    await user.client.post(`${PATH}/${id}/documents`, {
      name: 'Help',
      type: 'website',
      url: 'https://192.0.2.1/',
    });
    const deleted = await user.client.delete(`${PATH}/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { message: 'Knowledgebase deleted successfully.' }]);
    const missing = 'Knowledgebase not found.';
    const again = await user.client.get(`${PATH}/${id}`);
    expect([again.status, again.body]).toEqual([404, { message: missing, error: missing }]);
    const { rows } = await database().query(
      'SELECT 1 FROM knowledge_documents WHERE knowledge_base_id = $1',
      [id],
    );
    expect(rows).toEqual([]);
  });

  it('are limited by the plan, also for concurrent requests', async () => {
    const { client } = await anAccount({ plan: await aPlan({ max_knowledge_bases: 2 }) });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.post<One<Base>>(PATH, { name: 'One of many' })),
    );
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.body.message).toBe(
      'You have reached your plan limit of 2 knowledgebases. Please upgrade your plan to create more.',
    );
  });

  describe('documents', () => {
    let base: Base;
    let path: string;

    beforeAll(async () => {
      base = await create();
      path = `${PATH}/${base.id}/documents`;
    });

    const upload = (text: string, fields: Record<string, string>, at = path, { client } = user) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob([text]), 'file.txt');
      return client.send<One<Document>>('POST', at, form);
    };

    it('a website is taken as JSON, by url or links', async () => {
      const { status, body } = await user.client.post<One<Document>>(path, {
        name: 'Help',
        type: 'website',
        url: 'https://192.0.2.1/a',
        links: [{ link: 'https://192.0.2.1/a' }, { link: 'https://192.0.2.1/b' }],
      });
      expect([status, body.message]).toEqual([
        201,
        'Document created successfully. Processing will begin shortly.',
      ]);
      expect(body.data).toEqual({
        id: expect.any(Number),
        name: 'Help',
        description: null,
        type: 'website',
        type_label: 'Website',
        status: 'processing',
        status_label: 'Processing',
        failure_reason: null,
        links: ['https://192.0.2.1/a', 'https://192.0.2.1/b'],
        relative_links_limit: 10,
        size: 0,
        chunks_count: 0,
        created_at: DATE_TIME,
        updated_at: DATE_TIME,
      });
      const missing = await user.client.post<One<Document>>(path, { name: 'Help', type: 'website' });
      expect([missing.status, missing.body]).toEqual([
        422,
        { message: INVALID, errors: { links: ['The links field is required for a website.'] } },
      ]);
    });

    it('a file is taken from a form only', async () => {
      const { status, body } = await upload('Open from 9 to 5.', { name: 'Hours', type: 'txt' });
      expect([status, body.data]).toMatchObject([
        201,
        { name: 'Hours', type: 'txt', links: [], relative_links_limit: 0, size: 17 },
      ]);
      const required = [
        422,
        { message: INVALID, errors: { file: ['A file is required for this document type.'] } },
      ];
      const form = new FormData();
      form.append('name', 'Hours');
      form.append('type', 'pdf');
      const without = await user.client.send('POST', path, form);
      expect([without.status, without.body]).toEqual(required);
      // A path of the server is no file of the client's.
      const named = await user.client.post(path, { name: 'Hours', type: 'txt', file: '/etc/hostname' });
      expect([named.status, named.body]).toEqual(required);
      form.append('file', '/etc/hostname');
      const asText = await user.client.send('POST', path, form);
      expect([asText.status, asText.body]).toEqual(required);
    });

    it('a file of more than 20 MB is refused', async () => {
      const { status } = await upload('a'.repeat(20 * 1024 * 1024 + 1), { name: 'Large', type: 'txt' });
      expect(status).toBe(413);
    });

    it('name and description can be changed, and the rest not', async () => {
      const { body: created } = await upload('Text', { name: 'First', type: 'txt' });
      const { id } = created.data;
      const answer = await user.client.put<One<Document>>(`${path}/${id}`, {
        name: 'Second',
        description: 'New',
        type: 'pdf',
      });
      expect([answer.status, answer.body.message]).toEqual([200, 'Document updated successfully.']);
      expect(answer.body.data).toMatchObject({ id, name: 'Second', description: 'New', type: 'txt' });
      const deleted = await user.client.delete(`${path}/${id}`);
      expect([deleted.status, deleted.body]).toEqual([200, { message: 'Document deleted successfully.' }]);
      const missing = 'Document not found.';
      const again = await user.client.get(`${path}/${id}`);
      expect([again.status, again.body]).toEqual([404, { message: missing, error: missing }]);
    });

    it('a repeated upload is answered with the same document', async () => {
      const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') };
      const send = () => {
        const form = new FormData();
        form.append('name', 'Once');
        form.append('type', 'txt');
        form.append('file', new Blob(['Text']), 'file.txt');
        return user.client.send<One<Document>>('POST', path, form, headers);
      };
      const [first, second] = [await send(), await send()];
      expect(second.body).toEqual(first.body);
    });

    it('number, megabytes and pages of a website are limited by the plan', async () => {
      const plan = await aPlan({ max_documents: 2, max_document_megabytes: 1, max_website_pages: 3 });
      const limited = await anAccount({ plan });
      const own = await create({}, limited);
      const at = `${PATH}/${own.id}/documents`;
      const website = (fields: object) =>
        limited.client.post<One<Document>>(at, { name: 'Help', type: 'website', ...fields });
      const url = 'https://192.0.2.1/';
      const tooMany = await website({ url, relative_links_limit: 3 });
      expect([tooMany.status, tooMany.body.errors]).toEqual([
        422,
        { relative_links_limit: ['Your plan allows 3 pages of a website.'] },
      ]);
      expect((await website({ url })).body.data.relative_links_limit).toBe(2);
      const large = await upload('a'.repeat(1024 * 1024 + 1), { name: 'A', type: 'txt' }, at, limited);
      expect(large.body.message).toContain('1 megabytes of documents');
      expect((await upload('a', { name: 'B', type: 'txt' }, at, limited)).status).toBe(201);
      const third = await upload('a', { name: 'C', type: 'txt' }, at, limited);
      expect([third.status, third.body.message]).toEqual([
        422,
        'You have reached your plan limit of 2 documents. Please upgrade your plan to create more.',
      ]);
    });
  });
});
