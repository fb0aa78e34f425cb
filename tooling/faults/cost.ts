/**
 * npm run faults -- cost [--seed N] [--seconds N] [--broken] [--replay RECIPE]: searches for the most expensive
 * request of at most 64 KiB, without a token and with one.
 */
import { loadavg } from 'node:os';
import { CostMeter } from './cost/cost-meter.js';
import { costProblems, fixedProblems, isFixed, MAX_LOOP_DELAY_MS, type Cost } from './cost/verify-cost.js';
import type { Recipe } from './cost/recipe.js';
import { search, type Found } from './cost/search.js';
import { endpoints, type Endpoint } from './support/api-surface.js';
import { conclude } from './support/conclude.js';
import { Installation } from './support/installation.js';
import { seeded, seedOf } from './support/random.js';
import { isBroken, numberOption, say, textOption } from './support/run-options.js';

const SECONDS = 200;
const WORST = 10;
const WARM_UP = 20;
/** CPU time of a process has a resolution of 10 ms. */
const FIXED_REPEATS = 200;
const PLAIN = {
  token: 'none',
  type: 'none',
  shape: 'valid',
  value: '',
  count: 0,
  length: 0,
  field: 0,
} as const;

/** Variants of `--broken`. */
export const BROKEN = { form: true };

export async function run(args: string[]): Promise<void> {
  const seed = seedOf(args);
  const broken = isBroken(args);
  const replay = textOption(args, '--replay');
  const seconds = numberOption(args, '--seconds', broken ? 60 : SECONDS);
  const installation = await Installation.start({ patches: broken ? ['quadratic-form'] : [] });
  try {
    const routes = await endpoints();
    const bench = new CostMeter(installation, routes);
    await warmUp(bench, routes);
    if (replay !== null) return say(describe(await bench.measure(JSON.parse(replay) as Recipe)));
    const random = seeded(seed);
    const open = await search(bench, routes, { tokens: ['none', 'wrong'], seconds: seconds / 2, random });
    report('without a token', open);
    const fixed = await fixedDocuments(bench, routes);
    const known = await search(bench, routes, { tokens: ['valid'], seconds: seconds / 2, random });
    report('with a token', known);
    const delays = await loopDelays(bench, known.found);
    say(`load average ${loadavg()[0]?.toFixed(1)}`);
    const costs = [...open.found, ...known.found].map(({ cost }) => cost);
    conclude([...costProblems(costs), ...fixedProblems(fixed), ...delays], {
      broken,
      planted: /"type":"form"/,
    });
  } finally {
    await installation.stop();
  }
}

/** The first requests of a process are slow. */
async function warmUp(bench: CostMeter, routes: readonly Endpoint[]): Promise<void> {
  for (const { name } of routes) {
    await bench.median({ ...PLAIN, route: name }, 2);
    await bench.median({ ...PLAIN, route: name, token: 'valid', type: 'json' }, 2);
  }
}

async function fixedDocuments(bench: CostMeter, routes: readonly Endpoint[]): Promise<Map<string, number>> {
  const costs = new Map<string, number>();
  const cheapest = { ...PLAIN, route: 'GET /health/live' };
  await bench.median(cheapest, WARM_UP);
  const least = await bench.median(cheapest, FIXED_REPEATS);
  for (const { name } of routes.filter((route) => isFixed(route.name))) {
    await bench.median({ ...PLAIN, route: name }, WARM_UP);
    costs.set(name, (await bench.median({ ...PLAIN, route: name }, FIXED_REPEATS)) - least);
  }
  for (const [route, cpuMs] of costs)
    say(`fixed document ${route}: ${cpuMs.toFixed(2)} ms of CPU above GET /health/live`);
  return costs;
}

async function loopDelays(bench: CostMeter, found: readonly Found[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { recipe, cost } of found.filter((candidate) => candidate.cost.answered).slice(0, WORST)) {
    const delay = Math.min(await bench.loopDelay(recipe), await bench.loopDelay(recipe));
    if (delay > MAX_LOOP_DELAY_MS)
      problems.push(`the event loop stood still for ${delay.toFixed(0)} ms: ${cost.name}`);
  }
  return problems;
}

function report(title: string, { found, tried }: { found: readonly Found[]; tried: number }): void {
  say(`${title}: ${tried} requests; the worst ${WORST}:`);
  for (const { cost } of found.slice(0, WORST)) say(`  ${describe(cost)}`);
}

const describe = ({ cpuMs, answerBytes, name, answered }: Cost): string =>
  `${answered ? '' : 'NO ANSWER '}${cpuMs.toFixed(1)} ms of CPU, ${answerBytes} bytes back: ${name}`;
