import type { Endpoint } from '../support/api-surface.js';
import type { Random } from '../support/random.js';
import type { CostMeter } from './cost-meter.js';
import { severity, type Cost } from './verify-cost.js';
import { firstRecipes, mutate } from './mutate.js';
import type { Recipe } from './recipe.js';

export interface Found {
  recipe: Recipe;
  cost: Cost;
}

interface SearchOptions {
  tokens: readonly Recipe['token'][];
  seconds: number;
  random: Random;
}

/** The most expensive requests, from which the next ones are derived. */
const BEST = 24;
/** Reports of one kind of request that blocks the service; further ones are skipped. */
const FREEZES_PER_KIND = 1;

/**
 * Searches for the most expensive requests by hill climbing: each route with each shape once, then mutations of the
 * most expensive ones.
 *
 * @returns the most expensive request of each kind, in descending order
 */
export async function search(
  bench: CostMeter,
  routes: readonly Endpoint[],
  { tokens, seconds, random }: SearchOptions,
): Promise<{ found: Found[]; tried: number }> {
  const best = new Map<string, Found>();
  const frozen = new Map<string, number>();
  const end = Date.now() + seconds * 1_000;
  let tried = 0;
  const attempt = async (recipe: Recipe): Promise<void> => {
    if ((frozen.get(kindOf(recipe)) ?? 0) >= FREEZES_PER_KIND) return;
    const cost = await bench.measure(recipe);
    tried++;
    if (!cost.answered) frozen.set(kindOf(recipe), (frozen.get(kindOf(recipe)) ?? 0) + 1);
    const key = `${recipe.token} ${recipe.route} ${recipe.type} ${recipe.shape}`;
    const known = best.get(key);
    if (!known || severity(cost) > severity(known.cost)) best.set(key, { recipe, cost });
  };
  // Undocumented routes first: they require no token.
  const groups = [
    routes.filter(({ documented }) => !documented),
    routes.filter(({ documented }) => documented),
  ];
  const first = groups.flatMap((group) =>
    shuffled(
      tokens.flatMap((token) => firstRecipes(group, token, random)),
      random,
    ),
  );
  // At most half of the time for the initial requests.
  const half = Date.now() + seconds * 500;
  for (const recipe of first) {
    if (Date.now() > half) break;
    await attempt(recipe);
  }
  while (Date.now() < end) {
    const parents = ranked(best)
      .filter(({ cost }) => cost.answered)
      .slice(0, BEST);
    const parent = parents[Math.floor(random() ** 2 * parents.length)];
    if (!parent) break;
    await attempt(mutate(parent.recipe, routes, random));
  }
  return { found: ranked(best), tried };
}

/** Requests that the same code parses. */
const kindOf = ({ type, shape, token }: Recipe): string => `${token === 'valid'} ${type} ${shape}`;

const ranked = (best: ReadonlyMap<string, Found>): Found[] =>
  [...best.values()].sort((a, b) => severity(b.cost) - severity(a.cost) || b.cost.cpuMs - a.cost.cpuMs);

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
