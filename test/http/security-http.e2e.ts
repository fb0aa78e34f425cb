import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { baseUrl } from '../support/client.js';
import { headOf, sendRaw } from '../support/raw-http.js';

const UNAUTHENTICATED = { message: 'Unauthenticated.' };
const FORM = 'application/x-www-form-urlencoded';
/** 95 KB: 5,000 values that cannot be stored, under a key of 50,000 characters. */
const UNSTORABLE = JSON.stringify({ ['k'.repeat(50_000)]: Array.from({ length: 5_000 }, () => '\0') });
/** 64,000 bytes: one field, 32,000 times. */
const REPEATED = 'a&'.repeat(32_000);

interface Refused {
  message: string;
  errors?: Record<string, string[]>;
}

let user: TestAccount;
const authorization = () => ({ Authorization: `Bearer ${user.token}` });
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(baseUrl() + path, { method: 'POST', body, headers });

beforeAll(async () => {
  user = await anAccount();
});

describe('a request without a token', () => {
  it.each([
    ['POST /api/user/tools', 401, UNAUTHENTICATED, { 'Content-Type': 'application/json' }],
    ['POST /api/user/tools', 401, UNAUTHENTICATED, { 'Content-Type': 'text/plain' }],
    [
      'POST /api/user/leads/import',
      401,
      UNAUTHENTICATED,
      { 'Content-Type': 'multipart/form-data; boundary=x' },
    ],
    ['PUT /api/user/tools/1', 401, UNAUTHENTICATED, { 'Content-Type': FORM }],
    ['POST /api/nothing', 404, { message: 'Not Found' }, { 'Content-Type': 'application/json' }],
    ['POST /telephony/incoming', 403, { message: 'Forbidden' }, { 'Content-Type': FORM }],
    [
      'POST /telephony/incoming',
      415,
      { message: 'Unsupported Media Type' },
      { 'Content-Type': 'application/json' },
    ],
  ])('%s gets %s before its body arrives', async (request, status, body, headers) => {
    const answer = await sendRaw(headOf(request, { ...headers, 'Content-Length': 900_000 }));
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  it('returns 401 for any body', async () => {
    for (const [body, type] of [
      [UNSTORABLE, 'application/json'],
      ['{', 'application/json'],
      ['x'.repeat(1_500_000), 'application/json'],
      ['a=b', FORM],
    ] as const) {
      const answer = await post('/api/user/tools', body, { 'Content-Type': type });
      expect([answer.status, await answer.json()]).toEqual([401, UNAUTHENTICATED]);
    }
    expect((await post('/api/nothing', UNSTORABLE, { 'Content-Type': 'application/json' })).status).toBe(404);
  });
});

describe('a form of the carrier', () => {
  const signed = { 'Content-Type': FORM, 'X-Twilio-Signature': 'AAAA' };

  it('with thousands of equal fields is refused quickly', async () => {
    const answers = [
      await post('/telephony/incoming', REPEATED, { 'Content-Type': FORM }),
      await post('/telephony/incoming', REPEATED, signed),
      await post('/telephony/incoming', 'a&'.repeat(199), signed),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 400, 403]);
  });

  it('is the only content type that is accepted from the carrier', async () => {
    const json = { ...signed, 'Content-Type': 'application/json' };
    for (const method of ['POST', 'PUT', 'PROPFIND', 'QUERY']) {
      const body = '{"a":{"toString":1}}';
      const answer = await fetch(`${baseUrl()}/telephony/status`, { method, body, headers: json });
      expect([method, answer.status]).toEqual([method, method === 'POST' ? 415 : 404]);
    }
    expect((await post('/telephony/status', 'x'.repeat(65_537), signed)).status).toBe(413);
    expect((await post('/api/user/tools', 'a=b', { ...authorization(), 'Content-Type': FORM })).status).toBe(
      415,
    );
  });
});

describe('the errors of one request', () => {
  const tool = { name: 'find', description: 'Finds.', endpoint: 'https://example.com', method: 'GET' };

  it('are at most 20, with paths of at most 200 characters', async () => {
    const unstorable = await user.client.send<Refused>('POST', '/user/tools', UNSTORABLE);
    const paths = Object.keys(unstorable.body.errors ?? {});
    expect([unstorable.status, paths]).toEqual([422, ['k'.repeat(200)]]);
    expect(unstorable.text.length).toBeLessThan(1_000);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, '\0']));
    const { body } = await user.client.post<Refused>('/user/tools', many);
    expect(Object.keys(body.errors ?? {})).toHaveLength(20);
  });

  it('are at most 20 for a list of wrong items too, with any length', async () => {
    const wrong = (items: number) => ({
      ...tool,
      schema: Array.from({ length: items }, () => ({ type: 5 })),
    });
    const some = await user.client.post<Refused>('/user/tools', wrong(50));
    expect([some.status, Object.keys(some.body.errors ?? {}).length]).toEqual([422, 20]);
    const many = await user.client.post<Refused>('/user/tools', wrong(10_000));
    expect([many.status, many.body.errors]).toEqual([
      422,
      { schema: ['The schema field has too many items.'] },
    ]);
  });

  it('are returned quickly for a list of thousands of different texts', async () => {
    const days = Array.from({ length: 20_000 }, (_, index) => `d${index}`);
    const { status, body } = await user.client.post<Refused>('/user/campaigns', { allowed_days: days });
    expect([status, body.errors?.allowed_days]).toEqual([
      422,
      ['The allowed days field has too many items.'],
    ]);
    // A field that nobody declared may be anything.
    expect((await user.client.post('/user/tools', { ...tool, unknown: days })).status).toBe(201);
  });
});

describe('links of a page', () => {
  it.each([
    ['no Host at all', 'GET /api/user/sms?per_page=15 HTTP/1.0', {}],
    ['a Host that is none', 'GET /api/user/sms?per_page=15 HTTP/1.1', { Host: 'a b' }],
    ['a foreign Host', 'GET /api/user/sms?per_page=15 HTTP/1.1', { Host: 'evil.example' }],
    ['a whole URL', 'GET http://evil.example/api/user/sms?per_page=15 HTTP/1.1', { Host: 'evil.example' }],
    [
      'forwarded headers',
      'GET /api/user/sms?per_page=15 HTTP/1.1',
      { Host: 'x', 'X-Forwarded-Proto': 'java script', 'X-Forwarded-Host': 'evil.example' },
    ],
  ])('begin with PUBLIC_URL for %s', async (_, line, headers) => {
    const given = Object.entries({ ...headers, ...authorization() }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const { status, body } = await sendRaw([line, ...given, '\r\n'].join('\r\n'));
    const { first_page_url, path } = body as { first_page_url: string; path: string };
    expect([status, first_page_url, path]).toEqual([
      200,
      `${baseUrl()}/api/user/sms?per_page=15&page=1`,
      `${baseUrl()}/api/user/sms`,
    ]);
  });
});

it('sends responses that must not be cached, except its own files', async () => {
  const cached = async (path: string, headers: Record<string, string> = authorization()) => {
    const answer = await fetch(baseUrl() + path, { headers });
    await answer.arrayBuffer();
    return answer.headers.get('cache-control');
  };
  for (const path of [
    '/api/user/me',
    '/api/user/calls',
    '/api/user/api-keys',
    '/api/nothing',
    '/api/user/calls/%',
  ])
    expect([path, await cached(path)]).toEqual([path, 'no-store']);
  expect(await cached('/api/user/me', {})).toBe('no-store');
  expect(await cached('/api/conversations/3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11', {})).toBe('no-store');
  expect(await cached('/embed.js', {})).toBe('public, max-age=300');
});
