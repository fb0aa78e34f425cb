/** A response of the service to a request of the fuzzer. */
export interface FuzzResponse {
  /** Method and route. */
  route: string;
  /** 0: the connection was closed without a response. */
  status: number;
  contentType: string;
  retryAfter: string | null;
  body: string;
}

/** Requires `Retry-After`. */
const DECIDED_503 = 'Service temporarily unavailable';
/** Of a readiness check, whose database did not answer in time: a slow machine under load. */
const NOT_READY = { route: 'GET /health/ready', message: 'Not ready' };
/** The documented 500 of a refused call or message. */
const DECIDED_500 = 'Failed to send SMS';
/** Fields of an error response. */
const KEYS = new Set(['message', 'errors', 'success', 'data', 'retry_after', 'error', 'status']);
/** Further fields, of routes whose clients read them. */
const FIELDS_OF_ROUTES: readonly [route: RegExp, field: string][] = [
  [/^\S+ \/api\/(user\/)?ai\/generate-reply$/, 'code'],
  [/^\S+ \/api\/user\/whatsapp\//, 'error_code'],
];
const LEAKS = /node_modules|\.(?:js|ts):\d+:\d+|QueryFailedError|ECONNREFUSED/;
/** Maximum share of 503 and 429: a service that refuses most requests must not pass. */
const MAX_REFUSED_SHARE = 0.05;

/** The kind of problem, without details, so that equal ones can be counted; null without one. */
export function responseProblem({
  route,
  status,
  contentType,
  retryAfter,
  body,
}: FuzzResponse): string | null {
  if (status === 0 || status < 400) return null;
  const message = messageOf(body);
  if (status === 503) {
    if (route === NOT_READY.route && message === NOT_READY.message) return null;
    return retryAfter !== null && message === DECIDED_503 ? null : `503 that nobody decided: ${message}`;
  }
  if (status === 500 && message === DECIDED_500) return null;
  if (status >= 500) return `${status}: ${message ?? body.slice(0, 80)}`;
  if (body === '') return null; // HEAD, and refused upgrades.
  if (LEAKS.test(body)) return `${status} tells internals`;
  if (!contentType.includes('json')) return `${status} is ${contentType || 'without a type'}, not JSON`;
  return shapeProblem(route, status, body);
}

function shapeProblem(route: string, status: number, body: string): string | null {
  const parsed = parse(body);
  if (parsed === null) return `${status} is no JSON object`;
  if (typeof parsed.message !== 'string') return `${status} has no message`;
  const strange = Object.keys(parsed).find((key) => !KEYS.has(key) && !isOfRoute(route, key));
  if (strange !== undefined) return `${status} has the field ${strange}`;
  const { errors } = parsed;
  return errors === undefined || isFieldErrors(errors) ? null : `${status} has errors in another shape`;
}

const isOfRoute = (route: string, key: string): boolean =>
  FIELDS_OF_ROUTES.some(([of, field]) => field === key && of.test(route));

const isFieldErrors = (errors: unknown): boolean =>
  typeof errors === 'object' &&
  errors !== null &&
  Object.values(errors).every(
    (texts) => Array.isArray(texts) && texts.every((text) => typeof text === 'string'),
  );

function parse(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function messageOf(body: string): string | null {
  const message = parse(body)?.message;
  return typeof message === 'string' ? message : null;
}

/** Memory of the process after a garbage collection. */
export interface MemorySample {
  requests: number;
  heapBytes: number;
  residentBytes: number;
}

const MEGABYTE = 1024 * 1024;

/** @param samples one after each step, in order */
export function memoryProblems(samples: readonly MemorySample[]): string[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || first === last) return ['the memory was not compared'];
  return [
    ...grown('heap', first.heapBytes, last.heapBytes, { factor: 1.2, room: 16 * MEGABYTE }),
    // The allocator returns freed pages late.
    ...grown('resident memory', first.residentBytes, last.residentBytes, {
      factor: 1.4,
      room: 64 * MEGABYTE,
    }),
  ];
}

/** Open resources of a process. */
export interface ResourceSample {
  timers: number;
  /** Files and sockets. */
  files: number;
}

/** Pools and caches vary. */
const RESOURCES_ROOM = 30;

/** @param samples one after each step, when every line is closed */
export function resourceProblems(samples: readonly ResourceSample[]): string[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || first === last) return ['the open timers and sockets were not compared'];
  return (['timers', 'files'] as const)
    .filter((kind) => last[kind] > first[kind] + RESOURCES_ROOM)
    .map((kind) => `the open ${kind} grew from ${first[kind]} to ${last[kind]}`);
}

function grown(name: string, from: number, to: number, { factor, room }: { factor: number; room: number }) {
  if (to <= from * factor + room) return [];
  return [`the ${name} grew from ${megabytes(from)} to ${megabytes(to)} MB`];
}

export const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);

/** @param statuses count by status */
export function refusalProblems(statuses: ReadonlyMap<number, number>): string[] {
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const refused = (statuses.get(503) ?? 0) + (statuses.get(429) ?? 0);
  const without = statuses.get(0) ?? 0;
  return [
    ...(refused > all * MAX_REFUSED_SHARE
      ? [`${refused} of ${all} requests were refused with 429 or 503`]
      : []),
    ...(all === 0 || without > all / 2 ? [`${without} of ${all} requests got no answer`] : []),
  ];
}
