export type Release = () => void;

interface Waiting {
  start(): void;
}

interface Line {
  taken: number;
  /** In the order of their coming. */
  waiting: Set<Waiting>;
}

interface Limits {
  /** How many of one key may wait at once. */
  maxWaiting: number;
  /** How long each of them waits. */
  maxWaitMs: number;
}

/** No place was free in time, or whoever waited for it went away. */
export class NoPlaceError extends Error {
  override readonly name = 'NoPlaceError';
}

/** For each key so many places; who finds all of them taken waits in order, and never for those of another key. */
export class KeyedConcurrencyLimiter<Key> {
  private readonly lines = new Map<Key, Line>();

  constructor(
    private readonly places: number,
    private readonly limits: Limits = { maxWaiting: Infinity, maxWaitMs: Infinity },
  ) {}

  /**
   * @param gone takes the caller out of the queue
   * @returns what gives the place back; to be called once, more calls do nothing
   * @throws NoPlaceError
   */
  async enter(key: Key, gone?: AbortSignal): Promise<Release> {
    const line = this.lines.get(key) ?? { taken: 0, waiting: new Set() };
    this.lines.set(key, line);
    if (line.taken < this.places) line.taken++;
    else await this.wait(line, gone);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.leave(key, line);
    };
  }

  private async wait(line: Line, gone: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.limits;
    if (line.waiting.size >= maxWaiting) throw new NoPlaceError('Too many wait already');
    if (gone?.aborted) throw new NoPlaceError('Nobody waits any more');
    let timer: NodeJS.Timeout | undefined;
    let giveUp = (): void => undefined;
    try {
      await new Promise<void>((start, reject) => {
        const waiting = { start };
        giveUp = () => {
          line.waiting.delete(waiting);
          reject(new NoPlaceError('No place was free in time'));
        };
        line.waiting.add(waiting);
        if (Number.isFinite(maxWaitMs)) timer = setTimeout(giveUp, maxWaitMs);
        gone?.addEventListener('abort', giveUp, { once: true });
      });
    } finally {
      clearTimeout(timer);
      gone?.removeEventListener('abort', giveUp);
    }
  }

  /** The place goes straight to the next in the queue. */
  private leave(key: Key, line: Line): void {
    for (const next of line.waiting) {
      line.waiting.delete(next);
      next.start();
      return;
    }
    line.taken--;
    if (line.taken === 0) this.lines.delete(key);
  }
}
