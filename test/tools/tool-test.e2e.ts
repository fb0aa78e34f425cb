import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { Receiver } from '../support/receiver.js';

interface Tested {
  message: string;
  data: {
    request: { method: string; url: string; headers: object[]; body: string | null } | null;
    response: { status: number; headers: object[]; body: string; truncated: boolean } | null;
    duration_ms: number;
    error: string | null;
  };
}

const MASK = '••••••';
let user: TestAccount;
let receiver: Receiver;

beforeAll(async () => {
  [user, receiver] = await Promise.all([anAccount(), Receiver.open()]);
});

afterAll(() => receiver.close());

const aTool = async (fields: object): Promise<number> => {
  const { body } = await user.client.post<{ data: { id: number } }>('/user/tools', {
    name: 'check_order',
    description: 'Looks up an order.',
    endpoint: receiver.url,
    method: 'POST',
    headers: [{ name: 'X-Api-Key', value: 'k-4711' }],
    ...fields,
  });
  return body.data.id;
};

const tested = async (id: number, body: object = {}): Promise<Tested['data']> => {
  const answer = await user.client.post<Tested>(`/user/tools/${id}/test`, body);
  expect([answer.status, answer.body.message]).toEqual([200, 'Tool tested successfully']);
  return answer.body.data;
};

describe('the test of a tool', () => {
  it('sends an argument that is an object as JSON in a query', async () => {
    receiver.reply = () => ({ body: '{}' });
    const id = await aTool({ method: 'GET' });
    const { request, error } = await tested(id, { arguments: { filter: { toString: 1 } } });
    expect(error).toBeNull();
    expect(new URL(request?.url ?? '').searchParams.get('filter')).toBe('{"toString":1}');
  });

  it('sends what a call would send, and shows it and the response without the values of its headers', async () => {
    receiver.reply = () => ({ body: '{"order":"shipped"}', headers: { 'x-shop': 'a' } });
    const id = await aTool({ endpoint: `${receiver.url}/{order}` });
    const { request, response, error, duration_ms } = await tested(id, {
      arguments: { order: '47 11', urgent: true },
    });
    const sent = receiver.received.at(-1);
    expect([sent?.text, sent?.headers['x-api-key']]).toEqual(['{"urgent":true}', 'k-4711']);
    expect(request).toEqual({
      method: 'POST',
      url: `${receiver.url}/47%2011`,
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'x-api-key', value: MASK },
      ],
      body: '{"urgent":true}',
    });
    expect(response).toMatchObject({ status: 200, body: '{"order":"shipped"}', truncated: false });
    expect(response?.headers).toContainEqual({ name: 'x-shop', value: 'a' });
    expect([error, duration_ms]).toEqual([null, expect.any(Number)]);
  });

  it('reports the failure that the model would receive', async () => {
    receiver.reply = () => ({ status: 404, body: 'x'.repeat(20_000) });
    const refused = await tested(await aTool({ method: 'GET' }), { arguments: { order: 4711 } });
    expect(refused.request).toMatchObject({ url: `${receiver.url}?order=4711`, body: null });
    expect(refused.response).toMatchObject({ status: 404, body: 'x'.repeat(16 * 1024), truncated: true });
    expect(refused.error).toBe('The tool answered with status 404.');

    receiver.reply = () => ({ delayMs: 10_000 });
    expect(await tested(await aTool({ timeout: 1 }))).toMatchObject({
      response: null,
      error: 'The exchange did not finish in time.',
    });
  });

  it('reaches no address that a call would not reach, and no path outside of the endpoint', async () => {
    const inside = await aTool({ endpoint: 'http://169.254.169.254/latest/meta-data' });
    expect(await tested(inside)).toMatchObject({
      response: null,
      error: 'The host has no address that can be reached.',
    });
    const before = receiver.received.length;
    const other = await aTool({ endpoint: `${receiver.url}/{order}` });
    expect(await tested(other, { arguments: { order: '..' } })).toEqual({
      request: null,
      response: null,
      duration_ms: 0,
      error: 'An argument of the URL must not be or contain the path segment "." or "..".',
    });
    expect(receiver.received).toHaveLength(before);
  });

  it('is refused for another account, for arguments that are not an object, and beyond 60 a minute', async () => {
    const [other, id] = [await anAccount(), await aTool({})];
    const path = `/user/tools/${id}/test`;
    const foreign = await other.client.post(path);
    expect([foreign.status, foreign.body]).toEqual([404, { message: 'Tool not found' }]);
    const wrong = await user.client.post(path, { arguments: 'order' });
    expect([wrong.status, wrong.body]).toEqual([
      422,
      { message: 'Validation failed', errors: { arguments: ['The arguments field must be an object.'] } },
    ]);
    receiver.reply = () => ({});
    // At once: one after the other they may take longer than the minute.
    const answers = await Promise.all(Array.from({ length: 61 }, () => user.client.post(path)));
    expect(answers.map(({ status }) => status)).toContain(429);
  });
});
