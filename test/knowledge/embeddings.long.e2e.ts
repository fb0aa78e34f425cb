import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { aKnowledgeBase, addDocuments } from '../factories/knowledge.js';
import { OwnService } from '../support/own-service.js';
import { Receiver, type Received, type Reply } from '../support/receiver.js';
import { until } from '../support/until.js';

const TOPICS = [/refund|money back/i, /swim|pool/i, /dentist|tooth/i];
const HELP = { Refund: 'A refund is paid within a week.', Pool: 'The pool opens in May.' };

/** A number for each topic, and one for all else. */
function vectorOf(text: string, dimensions: number): number[] {
  const topics = TOPICS.map((topic) => (topic.test(text) ? 1 : 0));
  const vector = [...topics, topics.includes(1) ? 0 : 1];
  return Array.from({ length: dimensions }, (_, index) => vector[index] ?? 0);
}

const answer = ({ body }: Received, dimensions: number): Reply => ({
  body: JSON.stringify({
    data: [body['input']]
      .flat()
      .map((text, index) => ({ index, embedding: vectorOf(String(text), dimensions) })),
  }),
});

/** Of a passage each. */
const manyPassages = (count: number): string =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index} ${'of many words '.repeat(90)}.`).join(
    '\n\n',
  );

let service: OwnService;
let endpoint: Receiver;
let user: TestAccount;

beforeAll(async () => {
  endpoint = await Receiver.open();
  service = await OwnService.start(undefined, {
    EMBEDDINGS_ENDPOINT: new URL(endpoint.url).origin,
    EMBEDDINGS_API_KEY: 'embedding-key',
    EMBEDDINGS_MODEL: 'model-a',
  });
  user = await service.account();
});
afterAll(async () => {
  await service.stop();
  await endpoint.close();
});
beforeEach(() => {
  endpoint.received.length = 0;
  endpoint.reply = (request) => answer(request, 8);
});

interface Index {
  state: string;
  failure: string | null;
  dimensions: number | null;
  model: string;
  due_at: Date | null;
}

const indexesOf = async (base: number): Promise<Index[]> =>
  (
    await service.db.query<Index>(
      'SELECT state, failure, dimensions, model, due_at FROM knowledge_vector_indexes WHERE knowledge_base_id = $1 ORDER BY id',
      [base],
    )
  ).rows;
const isComplete = (base: number) =>
  until(async () => {
    const all = await indexesOf(base);
    return all.length === 1 && all[0]?.state === 'active' && all[0].due_at === null;
  });
const makeDue = (base: number) =>
  service.db.query('UPDATE knowledge_vector_indexes SET due_at = now() WHERE knowledge_base_id = $1', [base]);
const search = async (base: number, query: string, by = user): Promise<string[]> => {
  const { body } = await by.client.post<{ data: { document_name: string }[] }>(
    `/user/knowledgebases/${base}/search`,
    { query },
  );
  return body.data.map((found) => found.document_name);
};
/** The first search has the vectors read. */
const finds = (base: number, query: string, document: string) =>
  until(async () => (await search(base, query))[0] === document);

describe('knowledge bases with vectors', () => {
  it('find a passage that has no word of the question', async () => {
    const base = await aKnowledgeBase(user, HELP);
    await isComplete(base);
    await finds(base, 'Can I get my money back?', 'Refund');
    await finds(base, 'Where can we swim?', 'Pool');
    // No word of the part in quotes is searched.
    expect(await search(base, '"Where" can we swim?')).toEqual(['Pool']);
    const [request] = endpoint.received;
    expect(request?.headers.authorization).toBe('Bearer embedding-key');
    expect(request?.body).toMatchObject({ model: 'model-a', encoding_format: 'float' });
  });

  it('show nothing of another base or account', async () => {
    const [base, other] = [await aKnowledgeBase(user, HELP), await service.account()];
    const empty = await aKnowledgeBase(user, { Dentist: 'The dentist is out.' });
    const theirs = await aKnowledgeBase(other, { Dentist: 'The dentist is in.' });
    for (const one of [base, empty, theirs]) await isComplete(one);
    await finds(base, 'Can I get my money back?', 'Refund');
    await until(async () => (await search(theirs, 'My tooth hurts', other)).length === 1);
    await finds(empty, 'My tooth hurts', 'Dentist');
    expect(await search(empty, 'Can I get my money back?')).toEqual([]);
    expect(await search(theirs, 'Can I get my money back?', other)).toEqual([]);
    const { status } = await other.client.post(`/user/knowledgebases/${base}/search`, { query: 'refund' });
    expect(status).toBe(404);
  });

  it.each([
    ['fails', () => ({ status: 503 }), 'The endpoint answers with status 503'],
    [
      'is busy',
      () => ({ status: 429, headers: { 'retry-after': '1' } }),
      'The endpoint answers with status 429',
    ],
    ['refuses the key', () => ({ status: 401 }), 'The endpoint answers with status 401'],
    ['answers something else', () => ({ body: '{"data":[]}' }), 'The response has another number of vectors'],
  ])(
    'are searched by full text while the endpoint %s, and completed afterwards',
    async (_, reply, failure) => {
      endpoint.reply = reply as () => Reply;
      const base = await aKnowledgeBase(user, HELP);
      await until(async () => (await indexesOf(base))[0]?.failure === failure);
      expect(await search(base, 'When is the refund paid?')).toEqual(['Refund']);
      endpoint.reply = (request) => answer(request, 8);
      await makeDue(base);
      await isComplete(base);
      expect((await indexesOf(base))[0]?.failure).toBeNull();
    },
  );

  it('are searched by full text when the endpoint has not answered in time', async () => {
    const base = await aKnowledgeBase(user, HELP);
    await isComplete(base);
    await finds(base, 'Where can we swim?', 'Pool');
    let release: (value: unknown) => void = () => undefined;
    const after = new Promise((resolve) => (release = resolve));
    endpoint.reply = (request) => ({ ...answer(request, 8), after });
    expect(await search(base, 'When is the refund paid?')).toEqual(['Refund']);
    release(null);
  });

  it('take no vectors of another length than they have', async () => {
    const base = await aKnowledgeBase(user, HELP);
    await isComplete(base);
    endpoint.reply = (request) => answer(request, 6);
    await addDocuments(user, base, { Dentist: 'The dentist is in.' });
    await until(
      async () =>
        (await indexesOf(base))[0]?.failure === 'The endpoint returns vectors of 6 numbers instead of 8',
    );
    expect(await search(base, 'Is the dentist in?')).toEqual(['Dentist']);
    expect((await indexesOf(base))[0]).toMatchObject({ state: 'active', dimensions: 8 });
  });

  it('have each vector once after the process has died in the middle', async () => {
    endpoint.reply = (request) =>
      endpoint.received.length === 1 ? answer(request, 8) : { after: new Promise(() => undefined) };
    const base = await aKnowledgeBase(user, { Long: manyPassages(60) });
    await until(async () => endpoint.received.length > 1);
    await service.restart();
    endpoint.reply = (request) => answer(request, 8);
    await makeDue(base);
    await isComplete(base);
    const { rows } = await service.db.query<{ seq: number; vectors: number; chunks: number }>(
      `SELECT min(stored.seq) AS seq, (sum(length(vectors)) / 8)::int AS vectors, min(chunks_count) AS chunks
         FROM knowledge_vectors stored JOIN knowledge_documents document ON document.id = document_id
        WHERE document.knowledge_base_id = $1`,
      [base],
    );
    expect(rows[0]?.chunks).toBeGreaterThan(32);
    expect(rows).toEqual([{ seq: 1, vectors: rows[0]?.chunks, chunks: rows[0]?.chunks }]);
  });

  it('are searched by the old model until the new one is complete', async () => {
    const base = await aKnowledgeBase(user, HELP);
    await isComplete(base);
    let release: (value: unknown) => void = () => undefined;
    const after = new Promise((resolve) => (release = resolve));
    endpoint.reply = (request) =>
      request.body['model'] === 'model-b' ? { ...answer(request, 6), after } : answer(request, 8);
    await service.restart({ EMBEDDINGS_MODEL: 'model-b' });
    await until(async () => (await indexesOf(base)).length === 2);
    await finds(base, 'Where can we swim?', 'Pool');
    release(null);
    await isComplete(base);
    expect(await indexesOf(base)).toMatchObject([{ model: 'model-b', dimensions: 6 }]);
    await finds(base, 'Where can we swim?', 'Pool');
  });
});
