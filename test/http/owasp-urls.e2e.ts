import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccountWithResources } from '../factories/account-resources.js';
import { anAssistant } from '../factories/assistant.js';
import { aTestDelivery } from '../factories/webhook.js';
import { openApi, resolve, type Schema } from '../support/contract.js';
import { idsOf, matrixEntries, send, type Entry } from '../support/matrix.js';
import { Receiver } from '../support/receiver.js';
import type { AccountResources } from '../support/route.types.js';
import { until } from '../support/until.js';

/**
 * OWASP API Security Top 10 (2023), 7: addresses of users to which the service sends requests. The rules themselves:
 * src/common/outbound-http. See docs/run/security.md.
 */
const ENTRIES = await matrixEntries();
const DOCUMENT = await openApi();

/** Who sends a request to a field of the document with an address; a new field has to be added here. */
const SENDERS: Record<string, 'tool' | 'webhook' | 'website'> = {
  endpoint: 'tool',
  webhook_url: 'webhook',
  inbound_webhook_url: 'webhook',
  conversation_ended_webhook_url: 'webhook',
  url: 'website',
  link: 'website',
};
/** No resource of the internet: the cloud's own data, private networks, this host in other spellings. */
const INSIDE = [
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:169.254.169.254]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://10.0.0.1/',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
];
const UNREACHABLE = 'The host has no address that can be reached.';

let own: AccountResources;
let outside: Receiver;
let inside: Receiver;

beforeAll(async () => {
  [own, outside, inside] = await Promise.all([anAccountWithResources(), Receiver.open(), Receiver.open()]);
});
afterAll(() => Promise.all([outside.close(), inside.close()]));

/** Paths of the fields with an address, such as `links.link`. */
function addressFields(given: Schema | undefined, path = ''): string[] {
  if (!given) return [];
  const schema = typeof given.$ref === 'string' ? resolve(given.$ref, DOCUMENT) : given;
  if (schema.format === 'uri') return [path];
  const parts = Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, part]) =>
    addressFields(part, path === '' ? name : `${path}.${name}`),
  );
  const joined = ((schema.allOf ?? []) as Schema[]).flatMap((part) => addressFields(part, path));
  return [...parts, ...joined, ...addressFields(schema.items as Schema | undefined, path)];
}

const FIELDS = ENTRIES.flatMap((entry) => {
  const schema = entry.operation.requestBody?.content['application/json']?.schema;
  return addressFields(schema).map((field): [string, Entry, string] => [
    `${entry.method} ${entry.path} ${field}`,
    entry,
    field,
  ]);
});

describe('7, an address', () => {
  it('is in fields whose sender the test knows', () => {
    const names = FIELDS.map(([, , field]) => field.split('.').at(-1) ?? '');
    expect(names.filter((name) => SENDERS[name] === undefined)).toEqual([]);
    expect(new Set(names.map((name) => SENDERS[name])).size).toBe(3);
  });

  it.each(FIELDS)(
    '%s: has no other scheme than http and https, and no credentials',
    async (_, entry, field) => {
      const [name = '', part] = field.split('.');
      for (const address of [
        'file:///etc/passwd',
        'gopher://127.0.0.1:6379/_INFO',
        'ftp://example.com/',
        'javascript:alert(1)',
        'http://user:secret@example.com/',
        'http:/\\169.254.169.254/',
      ]) {
        const value = part === undefined ? address : [{ [part]: address }];
        const body = { ...entry.route.body?.(own), [name]: value };
        const answer = await send(own.account.client, entry, idsOf(own, entry), body);
        const errors = Object.keys(answer.body.errors ?? {}).map((key) => key.split('.')[0]);
        expect([address, answer.status, errors]).toEqual([address, 422, expect.arrayContaining([name])]);
      }
    },
  );

  const tested = async (endpoint: string) => {
    const { client } = own.account;
    const created = await client.post<{ data: { id: number } }>('/user/tools', {
      name: 'check_order',
      description: 'Looks up an order.',
      endpoint,
      method: 'GET',
    });
    const { body } = await client.post<{ data: { response: { status: number } | null; error: string } }>(
      `/user/tools/${created.body.data.id}/test`,
    );
    return body.data;
  };
  const notified = async (webhook_url: string) =>
    (
      await aTestDelivery(
        own.account,
        await anAssistant(own.account, { is_webhook_active: true, webhook_url }),
      )
    ).attempts[0];
  const read = async (url: string) => {
    const { client } = own.account;
    const path = `/user/knowledgebases/${own.ids['knowledgebase']}/documents`;
    const { body } = await client.post<{ data: { id: number } }>(path, {
      name: 'Page',
      type: 'website',
      url,
    });
    return until(async () => {
      const answer = await client.get<{ data: { status: string; chunks_count: number } }>(
        `${path}/${body.data.id}`,
      );
      return answer.body.data.status === 'processing' ? null : answer.body.data;
    });
  };

  it.each(INSIDE)('%s is reached by no tool and no webhook', async (address) => {
    expect(await tested(address)).toMatchObject({ response: null, error: UNREACHABLE });
    expect(await notified(address)).toMatchObject({
      status_code: null,
      response_body: null,
      error: `unreachable_address: ${UNREACHABLE}`,
    });
  });

  it('is reached by no page of a website, not behind a redirect either', async () => {
    outside.reply = () => ({ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } });
    for (const address of ['http://169.254.169.254/latest/meta-data', outside.url])
      expect(await read(address)).toMatchObject({ status: 'failed', chunks_count: 0 });
  });

  it('of a redirect is asked by no tool and no webhook', async () => {
    outside.reply = () => ({ status: 307, headers: { location: inside.url } });
    expect((await tested(outside.url)).response?.status).toBe(307);
    expect(await notified(outside.url)).toMatchObject({ status_code: 307 });
    expect(inside.received).toEqual([]);
  });
});
