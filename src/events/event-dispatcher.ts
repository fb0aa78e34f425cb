import { FairScheduler } from '#src/common/fairness/fair-scheduler.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { ClaimedEvent } from './events.repository.js';

/** Events that are handed over at a time, and those of one account: listeners use the database's connections. */
const SIZES = { places: 64, perAccount: 8 };
/** Claimed events, with those that wait for a place. */
const MAX_IN_HAND = 512;
const MAX_BATCH = 100;

/**
 * Hands claimed events over, several at a time: events of one subject one after another, each account up to its
 * share. A listener that waits for a lock holds up its own subject only.
 */
export class EventDispatcher {
  /** With the time of the claim; the oldest first. */
  private readonly inHand = new Map<string, number>();
  private readonly counts = new Map<number, number>();
  /** The last event of each subject. */
  private readonly subjects = new Map<string, Promise<void>>();
  private readonly lane = new FairScheduler<ClaimedEvent>(SIZES, (event) => this.inOrder(event));
  private readonly done: BatchLoader<string, void>;
  /** An account or all of them had their share when events were claimed: there may be more. */
  private mayBeMore = false;

  /**
   * @param tell false: a listener failed and the event was given back.
   * @param roomIsFree is called when more events may be claimed than when some had to be left.
   */
  constructor(
    private readonly tell: (event: ClaimedEvent) => Promise<boolean>,
    done: (ids: string[]) => Promise<void>,
    private readonly roomIsFree: () => void,
  ) {
    this.done = new BatchLoader<string, void>(async (ids) => {
      await done(ids);
      return ids.map(() => undefined);
    }, MAX_BATCH);
  }

  /** Events that may be claimed now. */
  get room(): number {
    const room = MAX_IN_HAND - this.inHand.size;
    this.mayBeMore ||= room === 0;
    return room;
  }

  /** Accounts with so many events in hand. */
  full(share: number): number[] {
    const full = [...this.counts].filter(([, count]) => count >= share).map(([accountId]) => accountId);
    this.mayBeMore ||= full.length > 0;
    return full;
  }

  add(event: ClaimedEvent): void {
    // Its lease ran out while this process still has it.
    if (this.inHand.has(event.id) || !this.lane.offer(event)) return;
    this.inHand.set(event.id, Date.now());
    this.counts.set(event.accountId, (this.counts.get(event.accountId) ?? 0) + 1);
  }

  olderThan(ms: number): string[] {
    const [oldest = Infinity] = this.inHand.values();
    return oldest <= Date.now() - ms ? [...this.inHand.keys()] : [];
  }

  /** Ends when all that was begun has ended; events that wait come back when their leases end. */
  stop(): Promise<void> {
    return this.lane.stop();
  }

  private async inOrder(event: ClaimedEvent): Promise<void> {
    const subject = subjectOf(event);
    const run = (this.subjects.get(subject) ?? Promise.resolve()).then(() => this.handOver(event));
    this.subjects.set(subject, run);
    await run;
    if (this.subjects.get(subject) === run) this.subjects.delete(subject);
    this.forget(event);
  }

  /** Never throws: an event that could not be marked comes back when its lease ends. */
  private async handOver(event: ClaimedEvent): Promise<void> {
    try {
      if (await this.tell(event)) await this.done.load(event.id);
    } catch {
      // The database is away.
    }
  }

  private forget({ id, accountId }: ClaimedEvent): void {
    this.inHand.delete(id);
    const left = (this.counts.get(accountId) ?? 1) - 1;
    if (left > 0) this.counts.set(accountId, left);
    else this.counts.delete(accountId);
    if (!this.mayBeMore || (left !== SIZES.perAccount && this.inHand.size !== MAX_IN_HAND / 2)) return;
    this.mayBeMore = false;
    this.roomIsFree();
  }
}

/** What the event tells of; events of one subject are handed over in the order in which they happened. */
function subjectOf({ id, payload: { callId, campaignId } }: ClaimedEvent): string {
  if (callId !== undefined) return `call ${String(callId)}`;
  return campaignId === undefined ? `event ${id}` : `campaign ${String(campaignId)}`;
}
