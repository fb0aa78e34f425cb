/** Cost of one request in the service. */
export interface Cost {
  /** The recipe, for `--replay`. */
  name: string;
  route: string;
  withToken: boolean;
  requestBytes: number;
  answerBytes: number;
  /** CPU time of all threads of the service. */
  cpuMs: number;
  /** False: no answer within the time limit. */
  answered: boolean;
}

/** CPU time of a request of at most 64 KiB. */
export const MAX_CPU_MS = 50;
export const MAX_CPU_WITH_TOKEN_MS = 250;
/** An import processes up to 21,000 lines in 64 KiB, and yields to other requests in between. */
const MAX_CPU_OF_IMPORT_MS = 1_000;
export const MAX_LOOP_DELAY_MS = 200;
/** For a document served from memory, above the cheapest response. */
export const MAX_FIXED_CPU_MS = 1;
/** Response bytes per request byte. */
const MAX_GAIN = 100;

/** Static documents: they may be large, but not expensive. */
const FIXED = /^GET \/(docs|docs-json|docs-yaml|docs\/swagger-ui.*|embed\.js)$/;
/** Not reachable at the public address. */
const INTERNAL = /^GET \/metrics$/;

export const isFixed = (route: string): boolean => FIXED.test(route);

export function costProblems(costs: readonly Cost[]): string[] {
  return costs.flatMap((cost) => {
    if (!cost.answered) return [`no answer in time: ${cost.name}`];
    const limit = limitOf(cost);
    return [
      ...(cost.cpuMs > limit ? [`${cost.cpuMs.toFixed(1)} ms of CPU, allowed ${limit}: ${cost.name}`] : []),
      ...(gainCounts(cost) && gainOf(cost) > MAX_GAIN
        ? [`the answer is ${gainOf(cost).toFixed(0)} times as large as the request: ${cost.name}`]
        : []),
    ];
  });
}

function limitOf({ withToken, route }: Cost): number {
  if (!withToken) return MAX_CPU_MS;
  return route.endsWith('/import') ? MAX_CPU_OF_IMPORT_MS : MAX_CPU_WITH_TOKEN_MS;
}

/** @param costs median CPU time of a request for one document, minus the cost of the cheapest response */
export function fixedProblems(costs: ReadonlyMap<string, number>): string[] {
  return [...costs].flatMap(([route, cpuMs]) =>
    cpuMs > MAX_FIXED_CPU_MS
      ? [`fixed document ${route}: ${cpuMs.toFixed(2)} ms of CPU, allowed ${MAX_FIXED_CPU_MS}`]
      : [],
  );
}

/** Ratio of the cost to its limit: above 1 the limit is exceeded. */
export function severity(cost: Cost): number {
  if (!cost.answered) return Infinity;
  const byCpu = cost.cpuMs / limitOf(cost);
  return gainCounts(cost) ? Math.max(byCpu, gainOf(cost) / MAX_GAIN) : byCpu;
}

const gainCounts = ({ withToken, route }: Cost): boolean =>
  !withToken && !isFixed(route) && !INTERNAL.test(route);

const gainOf = ({ answerBytes, requestBytes }: Cost): number => answerBytes / Math.max(1, requestBytes);
