import type { Clock } from './clock.js';
import type { ConversationSettings } from './conversation-settings.js';
import type { EarlierConversation } from './earlier-conversation.js';

/** The process that held the call may have died with the customer's last words: it is asked soon. */
const AFTER_TAKEOVER_MS = 3_000;

export interface SilenceLimits {
  reengageMs: number;
  /** In place of `reengageMs` until the customer makes a sound. */
  firstReengageMs: number;
  maxMs: number;
  /** In place of `maxMs` until the customer is heard for the first time. */
  initialMaxMs: number;
}

/** In a conversation that resumes the customer has been heard before. */
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
export class SilenceWatch {
  private heard = false;
  private silentMs = 0;
  private patienceMs = 0;
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

  /** The customer made a sound, or said something: `words`. */
  reset(words = false): void {
    this.heard ||= words;
    if (words) this.patienceMs = 0;
    this.silentMs = 0;
    this.reengagedAtMs = 0;
    if (this.runningSince !== null) {
      this.runningSince = this.clock.now();
      this.arm();
    }
  }

  /** The customer is asked nothing, and the call goes on, for at least this long unless words come before. */
  waitFor(ms: number): void {
    this.patienceMs = ms;
    if (this.runningSince !== null) this.arm();
  }

  /** Whether it is the customer's turn. */
  run(running: boolean): void {
    if (running === (this.runningSince !== null)) return;
    if (running) {
      this.runningSince = this.clock.now();
      this.arm();
    } else {
      this.silentMs = this.total();
      this.runningSince = null;
      this.cancel();
    }
  }

  private arm(): void {
    this.cancel();
    const own = Math.min(this.maxMs, this.reengagedAtMs + this.limits.reengageMs);
    const next = Math.max(own, this.patienceMs);
    this.cancel = this.clock.setTimeout(() => this.fire(), Math.max(0, next - this.total()));
  }

  private fire(): void {
    const silent = this.total();
    if (silent >= this.maxMs) return this.on.tooLong();
    this.reengagedAtMs = silent;
    this.arm();
    this.on.reengage();
  }

  private get maxMs(): number {
    return this.heard ? this.limits.maxMs : this.limits.initialMaxMs;
  }

  private total(): number {
    return this.silentMs + (this.runningSince === null ? 0 : this.clock.now() - this.runningSince);
  }
}
