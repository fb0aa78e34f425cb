import type { Endpoint } from '../support/api-surface.js';
import type { Random } from '../support/random.js';
import type { CostBench } from './bench-of-cost.js';
import { severity, type Cost } from './judge-cost.js';
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

/** Parents of the next requests. */
const BEST = 24;
/** A way to freeze the service is told this often; then requests of its kind are left out. */
const FREEZES_PER_KIND = 1;

/**
 * Looks for the most expensive requests: each route with each shape once, then changes of the costliest, uphill.
 *
 * @returns the costliest of each kind, costliest first
 */
export async function search(
  bench: CostBench,
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
  // What nobody documents is open to everybody: it comes first.
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
  // Half of the time for breadth at most: a search that never climbs is only a list.
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

/** Requests that are read by the same code. */
const kindOf = ({ type, shape, token }: Recipe): string => `${token === 'valid'} ${type} ${shape}`;

const ranked = (best: ReadonlyMap<string, Found>): Found[] =>
  [...best.values()].sort((a, b) => severity(b.cost) - severity(a.cost) || b.cost.cpuMs - a.cost.cpuMs);

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
