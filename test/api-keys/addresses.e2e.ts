import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { auditLog } from '../support/audit.js';
import { runCommand } from '../support/command.js';
import { EventStreamClient } from '../support/event-stream.js';
import { until } from '../support/until.js';

interface ApiKey {
  id: number;
  name: string;
  last_used_at: string | null;
  last_used_address: string | null;
  allowed_addresses: string[];
}

const ELSEWHERE = ['203.0.113.0/24', '2001:db8::1'];
/** Of the tests. */
const HERE = ['127.0.0.0/8'];
const REFUSED = [403, { message: 'This API key may not be used from your address.' }];

let user: TestAccount;

beforeAll(async () => {
  user = await anAccount();
});

const keyOf = async (
  id: number,
  { client }: Pick<TestAccount, 'client'> = user,
): Promise<ApiKey | undefined> =>
  (await client.get<{ api_keys: ApiKey[] }>('/user/api-keys')).body.api_keys.find((key) => key.id === id);
const update = (id: number, fields: object, { client }: Pick<TestAccount, 'client'> = user) =>
  client.put<{ message: string; data: ApiKey }>(`/user/api-keys/${id}`, fields);

describe('an API key with addresses', () => {
  it('is refused from elsewhere, changes nothing and is not used', async () => {
    const { id, client } = await anApiKey(user, { allowed_addresses: ELSEWHERE });
    const number = '+15005550024';
    const answers = [
      await client.get('/user/me'),
      await client.post('/user/suppressions', { phone_number: number }),
      await client.delete(`/user/api-keys/${id}`),
      await client.get('/user/calls/events'),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => REFUSED));
    // A visitor's route, too, where a token is optional.
    const chat = await client.post('/conversations', { assistant_id: 1, type: 'test' });
    expect([chat.status, chat.body]).toMatchObject(REFUSED);
    const listed = await user.client.get<{ data: unknown[] }>('/user/suppressions?page=1&phone_number=0024');
    expect(listed.body.data).toEqual([]);
    // A later use of another key is stored, so that one of this key was.
    const other = await anApiKey(user, { allowed_addresses: HERE });
    expect((await other.client.get('/user/me')).status).toBe(200);
    await until(async () => (await keyOf(other.id))?.last_used_at ?? null);
    expect(await keyOf(id)).toMatchObject({
      last_used_at: null,
      last_used_address: null,
      allowed_addresses: ELSEWHERE,
    });
  });

  it('is made by an operator, who sees its addresses, and refuses those that are none', async () => {
    const create = (addresses: string) =>
      runCommand([
        'tokens',
        'create',
        '--email',
        user.email,
        '--name',
        'Office',
        '--addresses',
        addresses,
        '--json',
      ]);
    const here = await create(HERE.join(','));
    const elsewhere = await create(ELSEWHERE.join(', '));
    const tokenOf = ({ output }: { output: string }) => (JSON.parse(output) as { token: string }).token;
    expect(JSON.parse(elsewhere.output)).toMatchObject({ allowed_addresses: ELSEWHERE });
    expect((await user.client.withToken(tokenOf(here)).get('/user/me')).status).toBe(200);
    const refused = await user.client.withToken(tokenOf(elsewhere)).get('/user/me');
    expect([refused.status, refused.body]).toEqual(REFUSED);
    const listed = await runCommand(['tokens', 'list', '--email', user.email, '--json']);
    expect(JSON.parse(listed.output)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'Office', allowed_addresses: ELSEWHERE })]),
    );
    const [entry] = await auditLog(user, 'action=api-key.create&actor=cli');
    expect(entry?.details).toMatchObject({ allowed_addresses: ELSEWHERE });
    expect(await create('203.0.113.0/33')).toMatchObject({
      code: 2,
      problem: expect.stringContaining('IP addresses or CIDR ranges'),
    });
  });

  it('shows from where it was used last', async () => {
    const { id, client } = await anApiKey(user);
    await client.get('/user/me');
    const used = await until(async () => (await keyOf(id))?.last_used_address ?? null);
    expect(used).toBe('127.0.0.1');
  });

  it('gives its addresses to keys that it creates, unless they have others', async () => {
    const { client } = await anApiKey(user, { allowed_addresses: HERE });
    const inherits = await anApiKey({ client });
    const others = await anApiKey({ client }, { allowed_addresses: ELSEWHERE });
    const all = await anApiKey({ client }, { allowed_addresses: [] });
    expect((await keyOf(inherits.id))?.allowed_addresses).toEqual(HERE);
    expect((await keyOf(others.id))?.allowed_addresses).toEqual(ELSEWHERE);
    expect((await keyOf(all.id))?.allowed_addresses).toEqual([]);
  });

  it('is bound to others from the next request on, and its streams end', async () => {
    const { id, token, client } = await anApiKey(user, { name: 'CRM' });
    const stream = await EventStreamClient.open(token, '/user/calls/events');
    const updated = await update(id, { name: 'CRM 2', allowed_addresses: ELSEWHERE });
    expect([updated.status, updated.body]).toMatchObject([
      200,
      { message: 'API key updated successfully', data: { id, name: 'CRM 2', allowed_addresses: ELSEWHERE } },
    ]);
    const answer = await client.get('/user/me');
    expect([answer.status, answer.body]).toEqual(REFUSED);
    await stream.end();
    const [entry] = await auditLog(user, 'action=api-key.update');
    expect(entry).toMatchObject({
      resource: { type: 'api-key', id: String(id) },
      fields: ['allowed_addresses', 'name'],
      details: { name: 'CRM 2', allowed_addresses: ELSEWHERE },
    });
    expect((await update(id, { allowed_addresses: [] })).status).toBe(200);
    expect((await client.get('/user/me')).status).toBe(200);
    expect((await keyOf(id))?.name).toBe('CRM 2');
  });

  it('cannot shut itself out', async () => {
    const own = await anApiKey(user);
    const refused = await update(own.id, { name: 'new', allowed_addresses: ELSEWHERE }, own);
    const problem =
      'The allowed addresses field must include the address of this request, 127.0.0.1, because its own key is updated.';
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { allowed_addresses: [problem] } }]);
    expect(await keyOf(own.id)).toMatchObject({ name: 'Key of a test', allowed_addresses: [] });
    const allowed = [...ELSEWHERE, '127.0.0.1'];
    expect((await update(own.id, { allowed_addresses: allowed }, own)).status).toBe(200);
    expect((await own.client.get('/user/me')).status).toBe(200);
    expect((await keyOf(own.id))?.allowed_addresses).toEqual(allowed);
  });

  it.each([
    ['203.0.113.7', 'The allowed addresses field must be an array.'],
    [['203.0.113'], 'The allowed addresses field must be a list of IP addresses and CIDR ranges.'],
    [['203.0.113.0/33'], 'The allowed addresses field must be a list of IP addresses and CIDR ranges.'],
    [['example.com'], 'The allowed addresses field must be a list of IP addresses and CIDR ranges.'],
    [[7], 'The allowed addresses field must be a list of IP addresses and CIDR ranges.'],
    [
      Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`),
      'The allowed addresses field must not have more than 20 items.',
    ],
  ])('does not take %j', async (allowed_addresses, text) => {
    const { id } = await anApiKey(user);
    const errors = { allowed_addresses: expect.arrayContaining([text]) };
    const fields = { name: 'x', allowed_addresses };
    const answers = [await user.client.post('/user/api-keys', fields), await update(id, fields)];
    expect(answers.map(({ status, body }) => [status, body])).toMatchObject(
      answers.map(() => [422, { errors }]),
    );
    expect(await keyOf(id)).toMatchObject({ name: 'Key of a test', allowed_addresses: [] });
  });
});
