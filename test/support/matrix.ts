import { expect } from '@jest/globals';
import { make } from '../factories/account-resources.js';
import type { Answer, Client } from './client.js';
import { openApi, type Operation } from './contract.js';
import { ROUTES } from './routes.js';
import type { AccountResources, Resource, Route } from './route.types.js';

/**
 * The operations of the service's OpenAPI document, over which the matrix (`test/http/matrix-*.e2e.ts`) runs, and how
 * it asks each.
 */
export interface Entry {
  method: string;
  /** Below the API prefix, with `{parameters}`. */
  path: string;
  operation: Operation;
  route: Route;
}

export type Refusal = { message: string; errors?: Record<string, string[]> };

/** Values of a path's parameters by their names. */
export type Ids = Record<string, unknown>;

interface Parameter {
  name: string;
  resource: Resource;
  /** The message of its 404. */
  missing: string;
}

/** Fewer than an account may have in flight (`MAX_IN_FLIGHT_PER_ACCOUNT`). */
const AT_ONCE = 8;

/** Every operation of the document. One that `ROUTES` does not know has no ids and no body. */
export async function matrixEntries(): Promise<Entry[]> {
  const { paths } = await openApi();
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/^\/api/, ''),
      operation,
      route: ROUTES[operation.operationId] ?? { resource: null },
    })),
  );
}

/** For `it.each`: a title and the entry. */
export const titled = (entries: readonly Entry[]): [title: string, entry: Entry][] =>
  entries.map((entry) => [`${entry.method} ${entry.path}`, entry]);

export const pathWith = ({ path }: Entry, ids: Ids): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));

export function send(client: Client, entry: Entry, ids: Ids, body?: unknown): Promise<Answer<Refusal>> {
  const { method, route } = entry;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers: Record<string, string> = route.origin ? { Origin: route.origin } : {};
  return client.send<Refusal>(method, pathWith(entry, ids), text, headers);
}

/** The path's parameters. Whoever knows a uuid may use it: there are no foreign ones, so `uuid` is left out. */
export function parametersOf({ path, route }: Entry): Parameter[] {
  const { resource, parents = {}, missing } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names
    .filter((name) => name !== 'uuid')
    .map((name) => {
      const named = name === 'id' ? resource : parents[name];
      const message =
        name === 'id' ? missing : Object.values(ROUTES).find((other) => other.resource === named)?.missing;
      if (!named || !message) throw new Error(`${path}: the table does not know {${name}}`);
      return { name, resource: named, missing: message };
    });
}

export function idOf({ ids }: AccountResources, resource: Resource): number {
  const id = ids[resource];
  if (id === undefined) throw new Error(`nothing creates ${resource}`);
  return id;
}

export const idsOf = (owner: AccountResources, entry: Entry): Ids =>
  Object.fromEntries([
    ['uuid', owner.uuids.conversation],
    ...parametersOf(entry).map(({ name, resource }) => [name, idOf(owner, resource)]),
  ]);

/** Deletes one resource through each DELETE route. @returns by the route's path what was deleted through it */
export async function deleteByEachRoute(
  owner: AccountResources,
  entries: readonly Entry[],
): Promise<Map<string, { resource: Resource; id: number }>> {
  const deleted = await inParallel(
    entries.filter(({ method }) => method === 'DELETE'),
    async (entry) => {
      const { resource } = entry.route;
      if (resource === null) throw new Error(`${entry.path}: the table does not know what it deletes`);
      const id = await make(owner, resource);
      const { status } = await send(owner.account.client, entry, { ...idsOf(owner, entry), id });
      expect([entry.path, status]).toEqual([entry.path, 200]);
      return [entry.path, { resource, id }] as const;
    },
  );
  return new Map(deleted);
}

/** Works on a few items at once. @returns the results in the order of the items */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
