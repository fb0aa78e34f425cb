export type Release = () => void;

interface Waiting {
  start(): void;
}

interface Line {
  taken: number;
  /** In order of arrival. */
  waiting: Set<Waiting>;
}

interface Limits {
  /** How many of one key may wait at once. */
  maxWaiting: number;
  /** How long each of them waits. */
  maxWaitMs: number;
}

/** No slot was free in time, or the caller aborted. */
export class NoSlotError extends Error {
  override readonly name = 'NoSlotError';
}

/** Limits concurrency by key: each key has its own slots and its own queue in order of arrival. */
export class KeyedConcurrencyLimiter<Key> {
  private readonly lines = new Map<Key, Line>();

  constructor(
    private readonly slots: number,
    private readonly limits: Limits = { maxWaiting: Infinity, maxWaitMs: Infinity },
  ) {}

  /**
   * @param gone takes the caller out of the queue
   * @returns releases the slot; repeated calls do nothing
   * @throws NoSlotError
   */
  async enter(key: Key, gone?: AbortSignal): Promise<Release> {
    const free = this.tryEnter(key);
    if (free) return free;
    const line = this.lineOf(key);
    await this.wait(line, gone);
    return this.releaseOf(key, line);
  }

  /** @returns null: no slot is free */
  tryEnter(key: Key): Release | null {
    const line = this.lineOf(key);
    if (line.taken >= this.slots) return null;
    line.taken++;
    return this.releaseOf(key, line);
  }

  private lineOf(key: Key): Line {
    const line = this.lines.get(key) ?? { taken: 0, waiting: new Set() };
    this.lines.set(key, line);
    return line;
  }

  private releaseOf(key: Key, line: Line): Release {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.leave(key, line);
    };
  }

  private async wait(line: Line, gone: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.limits;
    if (line.waiting.size >= maxWaiting) throw new NoSlotError('Too many wait already');
    if (gone?.aborted) throw new NoSlotError('Nobody waits any more');
    let timer: NodeJS.Timeout | undefined;
    let giveUp = (): void => undefined;
    try {
      await new Promise<void>((start, reject) => {
        const waiting = { start };
        giveUp = () => {
          line.waiting.delete(waiting);
          reject(new NoSlotError('No slot was free in time'));
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

  /** The slot is passed to the next in the queue. */
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
