import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES, type Scope } from '#src/http/scopes.js';
import { anAccountWithResources } from '../factories/account-resources.js';
import { anApiKey, type TestApiKey } from '../factories/api-key.js';
import { baseUrl, Client } from '../support/client.js';
import { idsOf, inParallel, matrixEntries, pathWith, send, type Entry, type Ids } from '../support/matrix.js';
import { ROUTES } from '../support/routes.js';
import type { AccountResources } from '../support/route.types.js';

/**
 * The matrix, generated from the service's own document: every route is asked without a token, with a wrong one, and
 * with and without its scope. A route that `ROUTES` does not know fails.
 */
const ENTRIES = await matrixEntries();
/** Of a body that no route takes. */
const TEXT = { 'Content-Type': 'text/plain' };
let resources: AccountResources;

beforeAll(async () => {
  resources = await anAccountWithResources();
});

it('lists exactly the routes of the document', () => {
  expect(ENTRIES.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(ROUTES).sort());
});

const hasBody = ({ method }: Entry): boolean => ['POST', 'PUT'].includes(method);

it('returns 401 on every route without a token and with a wrong one, with any body', async () => {
  const cases = ENTRIES.flatMap((entry) =>
    (entry.route.isPublic ? ['vac_wrong'] : [null, 'vac_wrong']).map((token) => ({ entry, token })),
  );
  await inParallel(cases, async ({ entry, token }) => {
    const { method, path, route } = entry;
    const text = token !== null && hasBody(entry) && !route.isPublic;
    const client = new Client(token);
    const answer = text
      ? await client.send(method, pathWith(entry, idsOf(resources, entry)), 'x', TEXT)
      : await send(client, entry, idsOf(resources, entry));
    expect([method, path, token, answer.status, answer.text]).toEqual([
      method,
      path,
      token,
      401,
      path.startsWith('/conversations')
        ? '{"status":false,"message":"Unauthenticated.","error":"Unauthenticated."}'
        : '{"message":"Unauthenticated."}',
    ]);
  });
});

describe('scopes', () => {
  const only = {} as Record<Scope, TestApiKey>;
  /** All but one, and but `admin`, which includes it. */
  const without = {} as Record<Scope, TestApiKey>;
  const scopeOf = ({ operation }: Entry): Scope => operation['x-required-scope'] as Scope;
  /** An id that no row has: nothing is deleted, and a 404 tells that the scope was there. */
  const NO_IDS = new Proxy({} as Ids, { get: () => 0 });
  // The operations of web pages need none.
  const WITH_TOKEN = ENTRIES.filter(({ route }) => !route.isPublic);

  beforeAll(async () => {
    await inParallel(SCOPES, async (scope) => {
      const others = SCOPES.filter((one) => one !== scope && one !== 'admin');
      only[scope] = await anApiKey(resources.account, { scopes: [scope] });
      without[scope] = await anApiKey(resources.account, { scopes: others });
    });
  });

  it('are named by every operation', () => {
    for (const { path, method, operation } of WITH_TOKEN) {
      const scope = operation['x-required-scope'];
      expect([method, path, scope]).toEqual([method, path, expect.stringMatching(SCOPES.join('|'))]);
      expect(operation.description).toContain(`Required scope: \`${scope}\`.`);
      expect(Object.keys(operation.responses)).toContain('403');
      expect(operation.security).toEqual([{ bearer: [] }]);
    }
    const count = (scope: Scope) => ENTRIES.filter((entry) => scopeOf(entry) === scope).length;
    for (const scope of SCOPES) expect([scope, count(scope) > 0]).toEqual([scope, true]);
  });

  it('are required: without that of a route the response is 403, with any body', async () => {
    await inParallel(WITH_TOKEN, async (entry) => {
      const path = pathWith(entry, NO_IDS);
      const { client } = without[scopeOf(entry)];
      const answer = await client.send(entry.method, path, hasBody(entry) ? '{' : undefined);
      expect([entry.method, path, answer.status, answer.text]).toEqual([
        entry.method,
        path,
        403,
        '{"message":"This action is unauthorized."}',
      ]);
    });
  });

  it('allow their routes without any other one', async () => {
    await inParallel(WITH_TOKEN, async (entry) => {
      const path = pathWith(entry, NO_IDS);
      // Not the client of the tests, which reads an answer to its end: event streams have none.
      const answer = await fetch(`${baseUrl()}/api${path}`, {
        method: entry.method,
        headers: {
          Authorization: `Bearer ${only[scopeOf(entry)].token}`,
          'Content-Type': 'application/json',
        },
      });
      await answer.body?.cancel();
      expect([entry.method, path, [401, 403].includes(answer.status)]).toEqual([entry.method, path, false]);
    });
  });
});
