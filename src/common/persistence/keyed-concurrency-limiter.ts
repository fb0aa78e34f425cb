export type ReleaseSlot = () => void;

interface Waiting {
  start(): void;
}

interface KeyQueue {
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
  private readonly lines = new Map<Key, KeyQueue>();

  constructor(
    private readonly slots: number,
    private readonly limits: Limits = { maxWaiting: Infinity, maxWaitMs: Infinity },
  ) {}

  /**
   * @param gone takes the caller out of the queue
   * @returns releases the slot; repeated calls do nothing
   * @throws NoSlotError
   */
  async acquire(key: Key, gone?: AbortSignal): Promise<ReleaseSlot> {
    const free = this.tryAcquire(key);
    if (free) return free;
    const line = this.lineOf(key);
    await this.wait(line, gone);
    return this.releaseOf(key, line);
  }

  /** @returns null: no slot is free */
  tryAcquire(key: Key): ReleaseSlot | null {
    const line = this.lineOf(key);
    if (line.taken >= this.slots) return null;
    line.taken++;
    return this.releaseOf(key, line);
  }

  private lineOf(key: Key): KeyQueue {
    const line = this.lines.get(key) ?? { taken: 0, waiting: new Set() };
    this.lines.set(key, line);
    return line;
  }

  private releaseOf(key: Key, line: KeyQueue): ReleaseSlot {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.leave(key, line);
    };
  }

  private async wait(line: KeyQueue, gone: AbortSignal | undefined): Promise<void> {
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
  private leave(key: Key, line: KeyQueue): void {
    for (const next of line.waiting) {
      line.waiting.delete(next);
      next.start();
      return;
    }
    line.taken--;
    if (line.taken === 0) this.lines.delete(key);
  }
}
