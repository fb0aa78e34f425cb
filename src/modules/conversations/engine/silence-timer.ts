import type { Clock } from './clock.js';
import type { ConversationSettings } from './conversation-settings.js';
import type { EarlierConversation } from './earlier-conversation.js';

/** Reengages soon after a takeover: the customer's last words may be lost with the previous process. */
const AFTER_TAKEOVER_MS = 3_000;

export interface SilenceLimits {
  reengageMs: number;
  /** Replaces `reengageMs` until the customer's first sound. */
  firstReengageMs: number;
  maxMs: number;
  /** Replaces `maxMs` until the customer's first words. */
  initialMaxMs: number;
}

/** A resumed conversation has no initial silence. */
export function silenceLimits(
  settings: Pick<
    ConversationSettings,
    'reengagementSeconds' | 'maxSilenceSeconds' | 'maxInitialSilenceSeconds'
  >,
  earlier: EarlierConversation | null,
): SilenceLimits {
  const { reengagementSeconds, maxSilenceSeconds, maxInitialSilenceSeconds } = settings;
  const initial = earlier ? null : maxInitialSilenceSeconds;
  const reengageMs = reengagementSeconds * 1000;
  return {
    reengageMs,
    firstReengageMs: earlier?.isAnswered ? Math.min(AFTER_TAKEOVER_MS, reengageMs) : reengageMs,
    maxMs: maxSilenceSeconds * 1000,
    initialMaxMs: (initial ?? maxSilenceSeconds) * 1000,
  };
}

/**
 * Measures how long the customer has been silent. The timer is paused while the assistant speaks or prepares an
 * answer and while a tool runs.
 */
export class SilenceTimer {
  private customerHeard = false;
  private silentMs = 0;
  private holdMs = 0;
  private reengagedAtMs: number;
  private runningSince: number | null = null;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly limits: SilenceLimits,
    private readonly on: { reengage(): void; tooLong(): void },
  ) {
    this.reengagedAtMs = limits.firstReengageMs - limits.reengageMs;
  }

  /** The customer made a sound; `words`: with words. */
  reset(words = false): void {
    this.customerHeard ||= words;
    if (words) this.holdMs = 0;
    this.silentMs = 0;
    this.reengagedAtMs = 0;
    if (this.runningSince !== null) {
      this.runningSince = this.clock.now();
      this.armTimer();
    }
  }

  /** Suspends reengagement and the limit for at least this long, or until the customer's next words. */
  suspendFor(ms: number): void {
    this.holdMs = ms;
    if (this.runningSince !== null) this.armTimer();
  }

  /** @param running whether it is the customer's turn */
  setRunning(running: boolean): void {
    if (running === (this.runningSince !== null)) return;
    if (running) {
      this.runningSince = this.clock.now();
      this.armTimer();
    } else {
      this.silentMs = this.totalMs();
      this.runningSince = null;
      this.cancel();
    }
  }

  private armTimer(): void {
    this.cancel();
    const own = Math.min(this.maxMs, this.reengagedAtMs + this.limits.reengageMs);
    const next = Math.max(own, this.holdMs);
    this.cancel = this.clock.setTimeout(() => this.fire(), Math.max(0, next - this.totalMs()));
  }

  private fire(): void {
    const silent = this.totalMs();
    if (silent >= this.maxMs) return this.on.tooLong();
    this.reengagedAtMs = silent;
    this.armTimer();
    this.on.reengage();
  }

  private get maxMs(): number {
    return this.customerHeard ? this.limits.maxMs : this.limits.initialMaxMs;
  }

  private totalMs(): number {
    return this.silentMs + (this.runningSince === null ? 0 : this.clock.now() - this.runningSince);
  }
}
