import { beforeAll, describe, expect, it } from '@jest/globals';
import { aWorld, make } from './factories/world.js';
import { Client, type Answer } from './support/client.js';
import { openApi, type OpenApi, type Operation } from './support/contract.js';
import { fieldCases } from './support/field-cases.js';
import { ROUTES, type World } from './support/routes.js';

/**
 * Generated from the service's own document: every route is asked without a token and for what is not there,
 * every field is given in every wrong way. A route that `ROUTES` does not know fails.
 */
interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

type Refusal = { message: string; errors?: Record<string, string[]> };

const MISSING = 2_147_483_000;
let document: OpenApi;
let world: World;
let other: World;
let entries: Entry[];

beforeAll(async () => {
  document = await openApi();
  [world, other] = await Promise.all([aWorld(), aWorld()]);
  entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/^\/api/, ''),
      operation,
    })),
  );
}, 30_000);

const send = (
  client: Client,
  { method, path }: Entry,
  id: unknown,
  body?: unknown,
): Promise<Answer<Refusal>> =>
  client.send<Refusal>(
    method,
    path.replace('{id}', String(id)),
    body === undefined ? undefined : JSON.stringify(body),
  );

const routeOf = ({ operation }: Entry) => ROUTES[operation.operationId] ?? { resource: null };
const bodySchema = ({ operation }: Entry) => operation.requestBody?.content['application/json']?.schema;

it('knows every route of the document, and no other', () => {
  expect(entries.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(ROUTES).sort());
});

it('answers no route without a token or with a wrong one', async () => {
  for (const entry of entries) {
    for (const token of [null, 'vac_wrong']) {
      const answer = await send(new Client(token), entry, 1);
      expect([entry.path, answer.status, answer.text]).toEqual([
        entry.path,
        401,
        '{"message":"Unauthenticated."}',
      ]);
    }
  }
});

it('answers alike for what is foreign, deleted, missing or impossible', async () => {
  for (const entry of entries.filter((candidate) => candidate.path.includes('{id}'))) {
    const { resource, missing, body } = routeOf(entry);
    if (!resource) throw new Error(`${entry.path} names no resource`);
    const given = body?.(world);
    const expected = [entry.path, 404, JSON.stringify({ message: missing })];
    const foreign = other.ids[resource];
    for (const id of [foreign, MISSING, 0, -1, 'abc', '1.5', 2_147_483_648, '99999999999999999999']) {
      const answer = await send(world.account.client, entry, id, given);
      expect([entry.path, answer.status, answer.text]).toEqual(expected);
    }
    const removal = entries.find(({ method, path }) => method === 'DELETE' && path === entry.path);
    if (!removal) continue;
    const deleted = await make(world, resource);
    expect((await send(world.account.client, removal, deleted)).status).toBe(200);
    const answer = await send(world.account.client, entry, deleted, given);
    expect([entry.path, answer.status, answer.text]).toEqual(expected);
  }
}, 60_000);

it('answers alike for a foreign, deleted or missing id in a body', async () => {
  for (const entry of entries) {
    const { body, references = {}, invalid, resource } = routeOf(entry);
    for (const [field, named] of Object.entries(references)) {
      const deleted = await make(world, named);
      const removal = entries.find(
        ({ method, path }) => method === 'DELETE' && path.endsWith(`/${named}s/{id}`),
      );
      if (removal) await send(world.account.client, removal, deleted);
      const wanted = removal ? [other.ids[named], MISSING, deleted] : [other.ids[named], MISSING];
      const texts = new Set<string>();
      for (const id of wanted) {
        const value = field === 'tool_ids' ? [id] : id;
        const answer = await send(world.account.client, entry, resource ? world.ids[resource] : 0, {
          ...body?.(world),
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

it('enforces exactly the limits that the document states', async () => {
  for (const entry of entries) {
    const schema = bodySchema(entry);
    const { body, invalid, resource } = routeOf(entry);
    if (!schema) continue;
    if (!body || !invalid) throw new Error(`${entry.path} has a body that the table does not know`);
    for (const { field, value, title, accepted, message } of fieldCases(schema, document)) {
      const given: Record<string, unknown> = { ...body(world), [field]: value };
      if (value === undefined) delete given[field];
      const answer = await send(world.account.client, entry, resource ? world.ids[resource] : 0, given);
      const what = `${entry.method} ${entry.path} ${field} ${title}`;
      const errors = Object.entries(answer.body.errors ?? {}).filter(
        ([key]) => key === field || key.startsWith(`${field}.`),
      );
      if (accepted) {
        expect([what, errors.filter(([, texts]) => !/selected/.test(texts.join()))]).toEqual([what, []]);
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
      for (const query of [
        'page=0',
        'page=x',
        'page=1.5',
        'page=-1',
        'per_page=0',
        'per_page=101',
        'per_page=',
        'page[]=1',
      ]) {
        const answer = await world.account.client.get<Refusal>(`${entry.path}?${query}`);
        const field = query.split(/[=[]/)[0] ?? '';
        expect([entry.path, query, answer.status]).toEqual([
          entry.path,
          query,
          query.includes('[') ? 200 : 422,
        ]);
        if (!query.includes('[')) expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
      }
      for (const query of ['per_page=1', 'per_page=100', 'page=1', 'page=999']) {
        const answer = await world.account.client.get(`${entry.path}?${query}`);
        expect([entry.path, query, answer.status]).toEqual([entry.path, query, 200]);
      }
    }
  });
});
