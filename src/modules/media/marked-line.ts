import { AudioEventBuffer } from './audio-event-buffer.js';
import { audioMs, type AudioFormat, type AudioLine, type AudioLineEvent } from './audio-line.js';

/** A mark this late counts as reached: its audio was played, or never will be. */
const OVERDUE_MS = 2_000;
/** Without audio of the customer for this long the connection is stalled, and nothing counts as played. */
const STALLED_MS = 500;
/** Marks of audio that prove the latency … */
const PROVEN_BY = 8;
/** … and how late they are without proof: what begins less late, on a busy line, is not taken for heard. */
const SURELY_LATE_MS = 500;
/** Returns at once, because no audio is before it: the latency of marks. It may be lost, as any of them. */
const FIRST_MARK = 'first';

/** Milliseconds since the epoch, and timers. */
export interface LineClock {
  now(): number;
  setTimeout(task: () => void, ms: number): () => void;
}

interface PendingMark {
  name: string;
  /** End of the playback of its audio, on a line without latency. */
  dueAt: number;
}

/**
 * A line whose marks each return once, and in time: marks that return twice are dropped, lost ones are replaced. Lines
 * without marks play by the clock.
 */
export class MarkedLine implements AudioLine {
  readonly format: AudioFormat;
  readonly openedAt: number;
  private readonly events = new AudioEventBuffer();
  private pending: PendingMark[] = [];
  /** End of the playback of all sent audio. */
  private endsAt = 0;
  private heardAt: number;
  /** Null: no mark has returned. */
  private latencyMs: number | null = null;
  private hasFirstReturned = false;
  private returned = 0;
  /** Of a mark that is being replaced. */
  private replacedLateMs: number | null = null;
  private readonly openedLineAt: number;
  private listener: ((event: AudioLineEvent) => void) | null = null;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly line: AudioLine,
    private readonly clock: LineClock,
  ) {
    this.format = line.format;
    this.openedAt = line.openedAt;
    this.openedLineAt = this.heardAt = clock.now();
    line.mark(FIRST_MARK);
    line.onEvent((event) => this.handleEvent(event));
  }

  get brokenSince(): number | null {
    return this.line.brokenSince ?? null;
  }

  /** How long marks are on their way, beyond the playback of their audio. */
  get markLatencyMs(): number {
    if (this.replacedLateMs !== null) return this.replacedLateMs;
    const latencyMs = this.latencyMs ?? 0;
    const isSure = this.hasFirstReturned && latencyMs >= SURELY_LATE_MS;
    return isSure || this.returned > PROVEN_BY ? latencyMs : 0;
  }

  play(audio: Buffer): void {
    this.endsAt = Math.max(this.endsAt, this.clock.now()) + audioMs(audio.length, this.format);
    this.line.play(audio);
  }

  mark(name: string): void {
    this.pending.push({ name, dueAt: Math.max(this.endsAt, this.clock.now()) });
    this.line.mark(name);
    if (this.pending.length === 1) this.armTimer();
  }

  clear(): void {
    this.endsAt = this.clock.now();
    for (const mark of this.pending) mark.dueAt = Math.min(mark.dueAt, this.endsAt);
    this.line.clear();
  }

  sendDigits(digits: string): void {
    this.line.sendDigits(digits);
  }

  caption(who: 'assistant' | 'customer', text: string, final: boolean): void {
    this.line.caption?.(who, text, final);
  }

  end(reason: string): void {
    this.stop();
    this.line.end(reason);
  }

  release(): void {
    this.stop();
    this.line.release?.();
  }

  onEvent(listener: (event: AudioLineEvent) => void): void {
    this.listener = listener;
    for (const event of this.events.take()) listener(event);
  }

  private handleEvent(event: AudioLineEvent): void {
    if (event.kind === 'mark') return this.handleMark(event.name);
    if (event.kind === 'audio') this.heardAt = this.clock.now();
    if (event.kind === 'closed') this.stop();
    this.emit(event);
  }

  private handleMark(name: string): void {
    const now = this.clock.now();
    if (name === FIRST_MARK && this.latencyMs === null) {
      this.latencyMs = now - this.openedLineAt;
      this.hasFirstReturned = true;
    }
    const returned = this.removeUpTo(name);
    if (!returned) return;
    this.returned += 1;
    // The first one may have waited for a busy process.
    this.latencyMs = Math.max(0, Math.min(this.latencyMs ?? Infinity, now - returned.dueAt));
    this.emit({ kind: 'mark', name });
  }

  /** Marks return in order: those before it are lost. */
  private removeUpTo(name: string): PendingMark | undefined {
    const index = this.pending.findIndex((mark) => mark.name === name);
    const removed = this.pending.splice(0, index + 1).at(-1);
    if (removed) this.armTimer();
    return removed;
  }

  private armTimer(): void {
    this.cancel();
    const [next] = this.pending;
    if (!next) return;
    const waitMs = next.dueAt + (this.latencyMs ?? 0) + OVERDUE_MS - this.clock.now();
    this.cancel = this.clock.setTimeout(() => this.replaceMark(next), Math.max(waitMs, 0));
  }

  private replaceMark({ name, dueAt }: PendingMark): void {
    const now = this.clock.now();
    if (this.brokenSince !== null || now - this.heardAt >= STALLED_MS) {
      this.cancel = this.clock.setTimeout(() => this.armTimer(), STALLED_MS);
      return;
    }
    this.removeUpTo(name);
    this.replacedLateMs = now - dueAt;
    this.emit({ kind: 'mark', name });
    this.replacedLateMs = null;
  }

  private emit(event: AudioLineEvent): void {
    if (this.listener) this.listener(event);
    else this.events.add(event);
  }

  private stop(): void {
    this.cancel();
    this.pending = [];
  }
}
