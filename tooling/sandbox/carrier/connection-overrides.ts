/** Limits of a webhook request. Times in milliseconds. */
export interface ConnectionOverrides {
  connectTimeout: number;
  readTimeout: number;
  /** For all attempts together. */
  totalTime: number;
  retries: number;
  /** Failures that are retried: `4xx`, `5xx`, `ct` (no connection), `rt` (read timeout) or `all`. */
  policy: ReadonlySet<string>;
}

/** The names in a URL's fragment with the carrier's range and default. */
const NUMBERS = {
  ct: [100, 10_000, 5_000],
  rt: [100, 15_000, 15_000],
  tt: [100, 15_000, 15_000],
  rc: [0, 5, 1],
} as const;

/** Reads `#rc=2&rp=all&ct=1000`; a value out of its range is ignored. */
export function connectionOverrides(url: string): ConnectionOverrides {
  const given = new URLSearchParams(new URL(url).hash.slice(1));
  const number = (name: keyof typeof NUMBERS): number => {
    const [min, max, fallback] = NUMBERS[name];
    const value = Number(given.get(name) ?? fallback);
    return value >= min && value <= max ? value : fallback;
  };
  return {
    connectTimeout: number('ct'),
    readTimeout: number('rt'),
    totalTime: number('tt'),
    retries: number('rc'),
    policy: new Set((given.get('rp') ?? 'ct').split(',')),
  };
}

/** The requested and signed URL: without the fragment. */
export function withoutOverrides(url: string): string {
  const bare = new URL(url);
  if (bare.hash === '') return url;
  return url.slice(0, url.indexOf('#'));
}
