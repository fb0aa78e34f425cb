import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccountWithResources, make } from '../factories/account-resources.js';
import {
  deleteByEachRoute,
  idOf,
  idsOf,
  inParallel,
  matrixEntries,
  parametersOf,
  pathWith,
  send,
  titled,
} from '../support/matrix.js';
import type { AccountResources, Resource } from '../support/route.types.js';

/**
 * The matrix, generated from the service's own document: every route that takes the id of a resource, in its path or in
 * its body, is given one of another account, a deleted one, one that no row has and texts that are none.
 */
const ENTRIES = await matrixEntries();
const MISSING = 2_147_483_000;
/** Each is read in another way where the rule of ids (`path-id.spec.ts` has its cases) does not stand before it. */
const IMPOSSIBLE = ['abc', '1.5', 2_147_483_648];

let resources: AccountResources;
let other: AccountResources;
let deleted: Map<string, { resource: Resource; id: number }>;

beforeAll(async () => {
  [resources, other] = await Promise.all([anAccountWithResources(), anAccountWithResources()]);
  deleted = await deleteByEachRoute(resources, ENTRIES);
});

/** Deleted through the path itself, else through any; none where nothing deletes the resource. */
function deletedIds(resource: Resource, path = ''): number[] {
  const own = deleted.get(path);
  const first = own ?? [...deleted.values()].find((one) => one.resource === resource);
  return first ? [first.id] : [];
}

it('reads every id in a path by the one rule of ids', () => {
  for (const { method, path, operation } of ENTRIES)
    for (const { name, in: place, schema } of operation.parameters ?? [])
      if (place === 'path' && name !== 'uuid')
        expect([method, path, schema]).toEqual([
          method,
          path,
          { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
        ]);
});

const withIds = titled(ENTRIES.filter((entry) => parametersOf(entry).length > 0));

it.each(withIds)(
  '%s: returns the same response for foreign, deleted, missing and impossible ids',
  async (_, entry) => {
    const cases = parametersOf(entry).flatMap(({ name, resource, missing }) =>
      [idOf(other, resource), ...deletedIds(resource, entry.path), MISSING, ...IMPOSSIBLE].map((id) => ({
        ids: { ...idsOf(resources, entry), [name]: id },
        missing,
      })),
    );
    await inParallel(cases, async ({ ids, missing }) => {
      const answer = await send(resources.account.client, entry, ids, entry.route.body?.(resources));
      const where = pathWith(entry, ids);
      const body = { message: missing, ...(entry.route.repeatsError && { error: missing }) };
      expect([where, answer.status, answer.text]).toEqual([where, 404, JSON.stringify(body)]);
    });
  },
);

const OWN_RESOURCES = withIds.filter(
  ([, { method, operation }]) =>
    method === 'GET' && operation.responses['200']?.content?.['application/json'] !== undefined,
);

// The client also compares status and body with the document.
it.each(OWN_RESOURCES)('%s: returns 200 for an own id', async (_, entry) => {
  const { status } = await send(resources.account.client, entry, idsOf(resources, entry));
  expect(status).toBe(200);
});

it('finds a nested resource under its own parent only', async () => {
  const cases = ENTRIES.filter(({ route }) => route.resource).flatMap((entry) =>
    Object.entries(entry.route.parents ?? {}).map(([name, resource]) => ({ entry, name, resource })),
  );
  await inParallel(cases, async ({ entry, name, resource }) => {
    const ids = { ...idsOf(resources, entry), [name]: await make(resources, resource) };
    const { body, missing, repeatsError } = entry.route;
    const answer = await send(resources.account.client, entry, ids, body?.(resources));
    const where = pathWith(entry, ids);
    const expected = { message: missing, ...(repeatsError && { error: missing }) };
    expect([where, answer.status, answer.text]).toEqual([where, 404, JSON.stringify(expected)]);
  });
});

describe('a foreign, deleted or missing id in a body', () => {
  const withReferences = titled(
    ENTRIES.filter(({ route }) => Object.keys(route.references ?? {}).length > 0),
  );

  it.each(withReferences)('%s: returns the same response', async (_, entry) => {
    const { body, references = {}, invalid } = entry.route;
    for (const [field, named] of Object.entries(references)) {
      const wanted = [idOf(other, named), ...deletedIds(named), MISSING];
      const texts = await inParallel(wanted, async (id) => {
        const value = field.endsWith('_ids') ? [id] : id;
        const given = { ...body?.(resources), [field]: value };
        const answer = await send(resources.account.client, entry, idsOf(resources, entry), given);
        expect([field, id, answer.status, answer.body.message]).toEqual([field, id, 422, invalid]);
        return answer.text;
      });
      expect(new Set(texts).size).toBe(1);
    }
  });
});
