export interface Usage {
  /** Requests of the window, this one included. */
  count: number;
  /** Until the window ends. */
  resetMs: number;
}

export const WINDOW_MS = 60_000;

/** Counts requests by key in windows of a minute; a window begins with its first request. */
export abstract class RequestCounter {
  /** Ends when counting has begun, soon in any case. */
  abstract ready(): Promise<void>;
  /** @returns null when nobody can tell: the request is let through. */
  abstract count(key: string): Promise<Usage | null>;
  abstract close(): void;
}
