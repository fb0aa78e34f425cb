import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { baseUrl } from '../support/client.js';
import { inParallel, matrixEntries, pathWith, titled, type Entry, type Ids } from '../support/matrix.js';
import { headOf, sendRaw, type RawAnswer } from '../support/raw-http.js';

/**
 * OWASP API Security Top 10 (2023), 4 and 8, over the operations of the document: sizes, methods, errors and headers.
 * See docs/run/security.md.
 */
const ENTRIES = await matrixEntries();
/** Ids that no row has. */
const NO_IDS = new Proxy({} as Ids, { get: (_, name) => (name === 'uuid' ? UUID : 2_147_483_000) });
const UUID = '00000000-0000-4000-8000-000000000000';

let user: TestAccount;
beforeAll(async () => {
  user = await anAccount();
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const ask = (method: string, path: string, headers: Record<string, string | number> = {}, body = '') =>
  sendRaw(
    headOf(`${method} /api${path}`, {
      Authorization: `Bearer ${user.token}`,
      // Lists have no length.
      Connection: 'close',
      ...headers,
      ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }),
    }) + body,
  );

/** What an answer tells of the service's inside. */
const INSIDE =
  /node_modules|\.[cm]?js:\d|\bat [\w.<>]+ \(|SELECT |INSERT |QueryFailed|typeorm|fastify|nestjs/i;
/** Of errors of the contract; conversations have two more. */
const FIELDS = ['message', 'errors', 'error', 'status'];

/** Why an error tells too much, or is not the contract's. */
function problemOf({ status, headers, text, body }: RawAnswer): string | null {
  if (status < 400 || status >= 500) return `status ${status}`;
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : ['no JSON'];
  const others = names.filter((name) => !FIELDS.includes(name));
  if (others.length > 0) return `${status} with ${others.join()}`;
  if (INSIDE.test(text)) return text;
  const named = ['x-powered-by', 'server'].filter((name) => headers[name] !== undefined);
  return named.length > 0 ? `header ${named.join()}` : null;
}

const WITH_BODY = ENTRIES.filter(({ operation }) => operation.requestBody?.content['application/json']);

describe('4, resources', () => {
  it('answers a body of 50 MB with 413 before it arrives, on every route', async () => {
    const statuses = await inParallel(WITH_BODY, async (entry) => {
      const { method, path } = entry;
      const length = { ...JSON_TYPE, 'Content-Length': 50_000_000 };
      return [method, path, (await ask(method, pathWith(entry, NO_IDS), length)).status];
    });
    expect(statuses).toEqual(WITH_BODY.map(({ method, path }) => [method, path, 413]));
  });

  it('answers a long address and thousands of parameters, on every list', async () => {
    const lists = ENTRIES.filter(
      ({ method, operation }) =>
        method === 'GET' && operation.parameters?.some(({ name }) => name === 'per_page'),
    );
    const many = Array.from({ length: 2_000 }, (_, n) => `p${n}=1`).join('&');
    const problems = await inParallel(lists, async (entry) => {
      const path = pathWith(entry, NO_IDS);
      const answers = [
        await ask('GET', `${path}?${many}`),
        await ask('GET', `${path}?q=${'x'.repeat(20_000)}`),
      ];
      return answers.filter(({ status }) => status >= 500).map(({ status }) => `${path} ${status}`);
    });
    expect(problems.flat()).toEqual([]);
  });
});

describe('8, configuration', () => {
  const documented = new Map<string, string[]>();
  for (const { path, method } of ENTRIES) documented.set(path, [...(documented.get(path) ?? []), method]);
  /** `update-status` may be the id of another route. */
  const isOther = (method: string, path: string): boolean =>
    ENTRIES.some(
      (entry) =>
        entry.method === method && new RegExp(`^${entry.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
  const OTHERS = [...documented].flatMap(([path, methods]) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']
      .filter((method) => !methods.includes(method) && !isOther(method, path))
      .map((method) => ({ method, path })),
  );

  it('has no methods on its paths but those of the document', async () => {
    const problems = await inParallel(OTHERS, async ({ method, path }) => {
      const answer = await ask(method, pathWith({ path } as Entry, NO_IDS));
      const { message } = (answer.body ?? {}) as { message?: string };
      const isRefused = answer.status === 404 && message === 'Not Found' && problemOf(answer) === null;
      return isRefused ? [] : [`${method} ${path}: ${answer.status} ${answer.text}`];
    });
    expect(problems.flat()).toEqual([]);
  });

  const WRONG: [title: string, body: string][] = [
    ['half an object', '{"name": "a'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['nothing but nesting', '['.repeat(50_000)],
    ['keys of prototypes', '{"__proto__": {"name": 1}, "constructor": {"prototype": 1}, "toString": 1}'],
  ];

  it.each(WRONG)('tells nothing of its inside in the error for %s, on every route', async (title, body) => {
    const problems = await inParallel(WITH_BODY, async (entry) => {
      const answer = await ask(entry.method, pathWith(entry, NO_IDS), JSON_TYPE, body);
      // Without a field that counts it is right where all are optional.
      const isRight = answer.status < 300 && ['null', 'keys of prototypes'].includes(title);
      const problem = isRight ? null : problemOf(answer);
      return problem === null ? [] : [`${entry.method} ${entry.path}: ${problem}`];
    });
    expect(problems.flat()).toEqual([]);
  });

  it.each([
    ['an address that is not encoded right', 'GET /api/user/calls/%', {}],
    ['an unknown one', 'GET /api/%2e%2e/%2e%2e/etc/passwd', {}],
    ['a null byte', 'GET /api/user/calls/1%00', {}],
    ['another type', 'POST /api/user/tools', { 'Content-Type': 'application/xml', 'Content-Length': 0 }],
    ['an answer that it has not', 'GET /api/user/tools', { Accept: 'application/xml' }],
  ])('tells nothing of its inside in the error for %s', async (_, request, headers) => {
    const answer = await sendRaw(headOf(request, { Authorization: `Bearer ${user.token}`, ...headers }));
    expect(problemOf(answer)).toBeNull();
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  const PRIVATE = titled(ENTRIES.filter(({ route }) => !route.isPublic));

  it('lets no page of another origin read an answer, on every route with a token', async () => {
    const origin = { Origin: 'https://evil.example' };
    const allowed = await inParallel(PRIVATE, async ([title, entry]) => {
      const path = `${baseUrl()}/api${pathWith(entry, NO_IDS)}`;
      const preflight = await fetch(path, {
        method: 'OPTIONS',
        headers: { ...origin, 'Access-Control-Request-Method': entry.method },
      });
      const answer = await fetch(path, { method: entry.method, headers: origin });
      await Promise.all([preflight.arrayBuffer(), answer.arrayBuffer()]);
      const names = [preflight, answer].map(({ headers }) => headers.get('access-control-allow-origin'));
      return names.some((name) => name !== null) ? [title, ...names] : [];
    });
    expect(allowed.flat()).toEqual([]);
  });
});
