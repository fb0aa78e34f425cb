import { FairScheduler } from '#src/common/fairness/fair-scheduler.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { ClaimedEvent } from './events.repository.js';

/**
 * Events that are dispatched at a time, in all and per account. Listeners batch simultaneous events, so that more of
 * them need fewer statements.
 */
const SIZES = { slots: 128, perAccount: 32 };
/** Claimed events, waiting ones included. */
const MAX_HELD = 1_024;
const MAX_BATCH = 100;

/**
 * Dispatches claimed events concurrently: events of one subject in order, each account up to its share. A listener
 * that waits for a lock blocks its own subject only.
 */
export class EventDispatcher {
  /** With the time of the claim; the oldest first. */
  private readonly held = new Map<string, { event: ClaimedEvent; since: number }>();
  private readonly counts = new Map<number, number>();
  /** The last event of each subject. */
  private readonly subjects = new Map<string, Promise<void>>();
  private readonly scheduler = new FairScheduler<ClaimedEvent>(SIZES, (event) => this.inOrder(event));
  private readonly done: BatchLoader<string, void>;
  /** After the last claim. */
  private heldAtMost = 0;
  /** A limit was reached when events were claimed, so there may be more. */
  private moreMayBeDue = false;

  /**
   * @param tell false: a listener failed and the event was given back.
   * @param slotIsFree is called when more events may be claimed than when some had to be left.
   */
  constructor(
    private readonly tell: (event: ClaimedEvent) => Promise<boolean>,
    done: (ids: string[]) => Promise<void>,
    private readonly slotIsFree: () => void,
  ) {
    this.done = new BatchLoader<string, void>(async (ids) => {
      await done(ids);
      return ids.map(() => undefined);
    }, MAX_BATCH);
  }

  /** Events that may be claimed now. */
  get capacity(): number {
    const room = MAX_HELD - this.held.size;
    this.moreMayBeDue ||= room === 0;
    return room;
  }

  /** Accounts that hold their maximum of events. */
  accountsAtLimit(share: number): number[] {
    const full = [...this.counts].filter(([, count]) => count >= share).map(([accountId]) => accountId);
    this.moreMayBeDue ||= full.length > 0;
    return full;
  }

  add(event: ClaimedEvent): void {
    const known = this.held.get(event.id)?.event;
    // Its lease expired while this process still holds it: it continues under the new lease.
    if (known) known.claim = event.claim;
    if (known || !this.scheduler.offerRow(event)) return;
    this.held.set(event.id, { event, since: Date.now() });
    this.heldAtMost = this.held.size;
    this.counts.set(event.accountId, (this.counts.get(event.accountId) ?? 0) + 1);
  }

  /** All held events, if the oldest has been held for this long. */
  findHeldLongerThan(ms: number): ClaimedEvent[] {
    const held = [...this.held.values()];
    return held[0] && held[0].since <= Date.now() - ms ? held.map(({ event }) => event) : [];
  }

  /** Resolves when running listeners have ended; waiting events are claimed again when their leases expire. */
  stop(): Promise<void> {
    return this.scheduler.stop();
  }

  private inOrder(event: ClaimedEvent): Promise<void> {
    const subject = subjectOf(event);
    const earlier = this.subjects.get(subject);
    const told = earlier ? earlier.then(() => this.handOver(event)) : this.handOver(event);
    const run = told.then(() => {
      if (this.subjects.get(subject) === run) this.subjects.delete(subject);
      this.forget(event);
    });
    this.subjects.set(subject, run);
    return run;
  }

  /** Never throws: an event that could not be marked is claimed again when its lease expires. */
  private async handOver(event: ClaimedEvent): Promise<void> {
    try {
      if (await this.tell(event)) await this.done.load(event.id);
    } catch {
      // The database is away.
    }
  }

  private forget({ id, accountId }: ClaimedEvent): void {
    this.held.delete(id);
    const left = (this.counts.get(accountId) ?? 1) - 1;
    if (left > 0) this.counts.set(accountId, left);
    else this.counts.delete(accountId);
    // Not as soon as one account has room: the accounts would be claimed for one after another, in small batches.
    if (!this.moreMayBeDue || (left > 0 && this.held.size > this.heldAtMost / 2)) return;
    this.moreMayBeDue = false;
    this.slotIsFree();
  }
}

/** The subject of an event; events of one subject are dispatched in order. */
function subjectOf({ id, payload: { callId, campaignId } }: ClaimedEvent): string {
  if (callId !== undefined) return `call ${String(callId)}`;
  return campaignId === undefined ? `event ${id}` : `campaign ${String(campaignId)}`;
}
