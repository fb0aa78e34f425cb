import type { Endpoint } from '../support/api-surface.js';
import type { Random } from '../support/random.js';
import { MAX_COUNT, SHAPES, TYPES, VALUES, type Recipe } from './recipe.js';

const one = <T>(random: Random, list: readonly T[]): T => {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
};

/** Initial requests: for every route each shape once, in each content type that supports it. */
export function firstRecipes(routes: readonly Endpoint[], token: Recipe['token'], random: Random): Recipe[] {
  return routes.flatMap((endpoint) =>
    plans(endpoint, token).map(([type, shape, length]) => ({
      route: endpoint.name,
      token,
      type,
      shape,
      value: one(random, VALUES),
      count: MAX_COUNT,
      length,
      field: Math.floor(random() * 64),
    })),
  );
}

type Plan = readonly [type: Recipe['type'], shape: Recipe['shape'], length: number];

const EVERYWHERE: readonly Plan[] = [
  ['none', 'valid', 1],
  ['none', 'query', 1],
  ['none', 'headers', 1],
  ['none', 'accept', 1],
  ['none', 'path', 1],
];
const BODIES: readonly Plan[] = [
  ['json', 'valid', 1],
  ['json', 'field', 1],
  ['json', 'field-list', 1],
  ['json', 'field-keys', 1],
  ['json', 'wide', 1],
  ['json', 'deep', 1],
  ['json', 'deep-list', 1],
  ['json', 'list-under-long-key', 1],
  ['form', 'repeated', 0],
  ['form', 'wide', 1],
  ['form', 'flat', 1],
  ['multipart', 'wide', 1],
  ['multipart', 'csv-columns', 1],
  ['xml', 'flat', 1],
  ['text', 'flat', 1],
];
const BY_FIELD: readonly Recipe['shape'][] = ['field', 'field-list', 'field-objects', 'field-keys'];
const FORMS: readonly Plan[] = [
  ['multipart', 'csv-lines', 1],
  ['multipart', 'csv-columns', 0],
  ['multipart', 'repeated', 1],
];

function plans({ method, fields, query, takesForm }: Endpoint, token: Recipe['token']): Plan[] {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') {
    return [...EVERYWHERE, ...query.map(() => ['none', 'query', 8] as const)];
  }
  if (token !== 'valid') return [...EVERYWHERE, ...BODIES];
  const byField = fields.flatMap(() => BY_FIELD.map((shape) => ['json', shape, 1] as const));
  return [...EVERYWHERE, ...BODIES, ...byField, ...(takesForm ? FORMS : [])];
}

/** The request with one or two changes. */
export function mutate(recipe: Recipe, routes: readonly Endpoint[], random: Random): Recipe {
  const next = { ...recipe };
  for (let changes = 1 + Math.floor(random() * 2); changes > 0; changes--) {
    one(random, CHANGES)(next, routes, random);
  }
  return next;
}

type Change = (recipe: Recipe, routes: readonly Endpoint[], random: Random) => void;

const resized = (size: number, random: Random): number =>
  Math.min(MAX_COUNT, Math.max(0, Math.round((size + 1) * 2 ** (random() * 6 - 3))));

const CHANGES: readonly Change[] = [
  (recipe, _, random) => (recipe.count = resized(recipe.count, random)),
  (recipe, _, random) => (recipe.length = resized(recipe.length, random)),
  (recipe, _, random) => (recipe.value = one(random, VALUES)),
  (recipe, _, random) => (recipe.value = (recipe.value + one(random, VALUES)).slice(0, 64)),
  (recipe, _, random) => (recipe.field = Math.floor(random() * 64)),
  (recipe, _, random) => (recipe.shape = one(random, SHAPES)),
  (recipe, _, random) => (recipe.type = one(random, TYPES)),
  (recipe, routes, random) => (recipe.route = one(random, routes).name),
];
