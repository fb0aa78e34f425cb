import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES, type Scope } from '#src/common/http/scopes.js';
import { anAccountWithResources, make } from '../factories/account-resources.js';
import { anApiKey, type TestApiKey } from '../factories/api-key.js';
import { baseUrl, Client, type Answer } from '../support/client.js';
import { openApi, type OpenApi, type Operation } from '../support/contract.js';
import { fieldCases } from '../support/field-cases.js';
import { ROUTES } from '../support/routes.js';
import { type Resource, type Route, type AccountResources } from '../support/route.types.js';

/**
 * Generated from the service's own document: every route is asked without a token, without its scope and for what is
 * not there, every field is given in every wrong way. A route that `ROUTES` does not know fails.
 */
interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

type Refusal = { message: string; errors?: Record<string, string[]> };

const MISSING = 2_147_483_000;
const MISSING_OR_TAKEN = /selected|already been taken/;
let document: OpenApi;
let resources: AccountResources;
let other: AccountResources;
let entries: Entry[];

beforeAll(async () => {
  document = await openApi();
  [resources, other] = await Promise.all([anAccountWithResources(), anAccountWithResources()]);
  entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/^\/api/, ''),
      operation,
    })),
  );
}, 30_000);

/** Values of the path's parameters by their names. */
type Ids = Record<string, unknown>;

const pathWith = ({ path }: Entry, ids: Ids): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));

function send(client: Client, entry: Entry, ids: Ids, body?: unknown): Promise<Answer<Refusal>> {
  const { origin } = routeOf(entry);
  const text = body === undefined ? undefined : JSON.stringify(body);
  return client.send<Refusal>(entry.method, pathWith(entry, ids), text, origin ? { Origin: origin } : {});
}

const routeOf = ({ operation }: Entry): Route => ROUTES[operation.operationId] ?? { resource: null };

/** The path's parameters with what each names and the message of its 404. */
function parametersOf(entry: Entry): { name: string; resource: Resource; missing: string }[] {
  const { resource, parents = {}, missing } = routeOf(entry);
  const names = [...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // Whoever knows a uuid may use it: there are no foreign ones.
  return names
    .filter((name) => name !== 'uuid')
    .map((name) => {
      const named = name === 'id' ? resource : parents[name];
      const message =
        name === 'id' ? missing : Object.values(ROUTES).find((r) => r.resource === named)?.missing;
      if (!named || !message) throw new Error(`${entry.path}: the table does not know {${name}}`);
      return { name, resource: named, missing: message };
    });
}

function idOf({ ids }: AccountResources, resource: Resource): number {
  const id = ids[resource];
  if (id === undefined) throw new Error(`nothing creates ${resource}`);
  return id;
}

const idsOf = (owner: AccountResources, entry: Entry): Ids =>
  Object.fromEntries([
    ['uuid', owner.uuids.conversation],
    ...parametersOf(entry).map(({ name, resource }) => [name, idOf(owner, resource)]),
  ]);

/** The id of one that was deleted, by the entry's own path where it has a DELETE; null: nothing deletes it. */
async function deletedId(resource: Resource, entry?: Entry): Promise<number | null> {
  const removals = entries.filter(
    (candidate) => candidate.method === 'DELETE' && routeOf(candidate).resource === resource,
  );
  const removal = removals.find(({ path }) => path === entry?.path) ?? removals[0];
  if (!removal) return null;
  const id = await make(resources, resource);
  expect((await send(resources.account.client, removal, { ...idsOf(resources, removal), id })).status).toBe(
    200,
  );
  return id;
}

const bodySchema = ({ operation }: Entry) => operation.requestBody?.content['application/json']?.schema;

it('lists exactly the routes of the document', () => {
  expect(entries.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(ROUTES).sort());
});

it('returns 401 on every route without a token and with a wrong one', async () => {
  for (const entry of entries) {
    const { isPublic } = routeOf(entry);
    for (const token of isPublic ? ['vac_wrong'] : [null, 'vac_wrong']) {
      const answer = await send(new Client(token), entry, idsOf(resources, entry));
      expect([entry.path, answer.status, answer.text]).toEqual([
        entry.path,
        401,
        entry.path.startsWith('/conversations')
          ? '{"status":false,"message":"Unauthenticated.","error":"Unauthenticated."}'
          : '{"message":"Unauthenticated."}',
      ]);
    }
  }
});

describe('scopes', () => {
  const only = {} as Record<Scope, TestApiKey>;
  /** All but one, and but `admin`, which includes it. */
  const without = {} as Record<Scope, TestApiKey>;
  const scopeOf = ({ operation }: Entry): Scope => operation['x-required-scope'] as Scope;
  /** An id that no row has: nothing is deleted, and a 404 tells that the scope was there. */
  const NO_IDS = new Proxy({} as Ids, { get: () => 0 });
  // The operations of web pages need none.
  const withToken = (): Entry[] => entries.filter((entry) => !routeOf(entry).isPublic);

  beforeAll(async () => {
    for (const scope of SCOPES) {
      const others = SCOPES.filter((one) => one !== scope && one !== 'admin');
      only[scope] = await anApiKey(resources.account, { scopes: [scope] });
      without[scope] = await anApiKey(resources.account, { scopes: others });
    }
  });

  it('are named by every operation', () => {
    for (const { path, method, operation } of withToken()) {
      const scope = operation['x-required-scope'];
      expect([method, path, scope]).toEqual([method, path, expect.stringMatching(SCOPES.join('|'))]);
      expect(operation.description).toContain(`Required scope: \`${scope}\`.`);
      expect(Object.keys(operation.responses)).toContain('403');
      expect(operation.security).toEqual([{ bearer: [] }]);
    }
    const count = (scope: Scope) => entries.filter((entry) => scopeOf(entry) === scope).length;
    for (const scope of SCOPES) expect([scope, count(scope) > 0]).toEqual([scope, true]);
  });

  it('are required: without that of a route the answer is 403, whatever else is wrong', async () => {
    for (const entry of withToken()) {
      const path = pathWith(entry, NO_IDS);
      const { client } = without[scopeOf(entry)];
      const hasBody = ['POST', 'PUT'].includes(entry.method);
      for (const [body, type] of hasBody
        ? ([
            ['{', 'application/json'],
            ['x', 'text/plain'],
          ] as const)
        : [[]]) {
        const answer = await client.send(entry.method, path, body, type ? { 'Content-Type': type } : {});
        expect([entry.method, path, answer.status, answer.text]).toEqual([
          entry.method,
          path,
          403,
          '{"message":"This action is unauthorized."}',
        ]);
      }
    }
  });

  it('open their routes without any other one', async () => {
    for (const entry of withToken()) {
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
    }
  });
});

it('gives the same answer for foreign, deleted, missing and impossible ids', async () => {
  for (const entry of entries) {
    for (const { name, resource, missing } of parametersOf(entry)) {
      const deleted = await deletedId(resource, entry);
      const impossible = [0, -1, 'abc', '1.5', 2_147_483_648, '99999999999999999999'];
      for (const id of [
        idOf(other, resource),
        MISSING,
        ...impossible,
        ...(deleted === null ? [] : [deleted]),
      ]) {
        const ids = { ...idsOf(resources, entry), [name]: id };
        const answer = await send(resources.account.client, entry, ids, routeOf(entry).body?.(resources));
        const where = pathWith(entry, ids);
        expect([where, answer.status, answer.text]).toEqual([
          where,
          404,
          JSON.stringify({ message: missing, ...(routeOf(entry).repeatsError && { error: missing }) }),
        ]);
      }
    }
  }
}, 60_000);

it('finds a nested resource under its own parent only', async () => {
  for (const entry of entries.filter((candidate) => routeOf(candidate).resource)) {
    const { parents = {}, missing, body } = routeOf(entry);
    for (const [name, resource] of Object.entries(parents)) {
      const ids = { ...idsOf(resources, entry), [name]: await make(resources, resource) };
      const answer = await send(resources.account.client, entry, ids, body?.(resources));
      const where = pathWith(entry, ids);
      expect([where, answer.status, answer.text]).toEqual([where, 404, JSON.stringify({ message: missing })]);
    }
  }
});

it('gives the same answer for a foreign, deleted or missing id in a body', async () => {
  for (const entry of entries) {
    const { body, references = {}, invalid } = routeOf(entry);
    for (const [field, named] of Object.entries(references)) {
      const deleted = await deletedId(named);
      const wanted = [idOf(other, named), MISSING, ...(deleted === null ? [] : [deleted])];
      const texts = new Set<string>();
      for (const id of wanted) {
        const value = field.endsWith('_ids') ? [id] : id;
        const answer = await send(resources.account.client, entry, idsOf(resources, entry), {
          ...body?.(resources),
          [field]: value,
        });
        expect([entry.path, field, answer.status, answer.body.message]).toEqual([
          entry.path,
          field,
          422,
          invalid,
        ]);
        texts.add(answer.text);
      }
      expect(texts.size).toBe(1);
    }
  }
}, 60_000);

it('enforces the limits of the document', async () => {
  for (const entry of entries) {
    const schema = bodySchema(entry);
    const { body, invalid } = routeOf(entry);
    if (!schema) continue;
    if (!body || !invalid) throw new Error(`${entry.path} has a body that the table does not know`);
    for (const { field, value, title, accepted, message } of fieldCases(schema, document)) {
      const given: Record<string, unknown> = { ...body(resources), [field]: value };
      if (value === undefined) delete given[field];
      const answer = await send(resources.account.client, entry, idsOf(resources, entry), given);
      const what = `${entry.method} ${entry.path} ${field} ${title}`;
      const errors = Object.entries(answer.body.errors ?? {}).filter(
        ([key]) => key === field || key.startsWith(`${field}.`),
      );
      if (accepted) {
        expect([what, errors.filter(([, texts]) => !MISSING_OR_TAKEN.test(texts.join()))]).toEqual([
          what,
          [],
        ]);
        expect([what, answer.status < 500]).toEqual([what, true]);
      } else {
        expect([what, answer.status, answer.body.message]).toEqual([what, 422, invalid]);
        expect([what, errors.length > 0]).toEqual([what, true]);
        if (message) expect([what, answer.body.errors?.[field]]).toEqual([what, [message]]);
      }
    }
  }
}, 120_000);

describe('queries', () => {
  it('refuse pages and sizes that are out of range or no integers', async () => {
    for (const entry of entries.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'per_page'),
    )) {
      const path = pathWith(entry, idsOf(resources, entry));
      const refused = ['0', 'x', '1.5', '-1'].map((page) => `page=${page}`);
      for (const query of [...refused, 'per_page=0', 'per_page=101', 'per_page=', 'page[]=1']) {
        const answer = await resources.account.client.get<Refusal>(`${path}?${query}`);
        const field = query.split(/[=[]/)[0] ?? '';
        expect([entry.path, query, answer.status]).toEqual([
          entry.path,
          query,
          query.includes('[') ? 200 : 422,
        ]);
        if (!query.includes('[')) expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
      }
      for (const query of ['per_page=1', 'per_page=100', 'page=1', 'page=999']) {
        const answer = await resources.account.client.get(`${path}?${query}`);
        expect([entry.path, query, answer.status]).toEqual([entry.path, query, 200]);
      }
    }
  });
});
