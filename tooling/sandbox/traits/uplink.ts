import { seededRandom } from '../speech/seeded-random.js';
import type { LineTraits } from './line-traits.js';

const FRAME_MS = 20;

/**
 * The way of a stream's events to the service: jitter and bursts make them late, counted in frames of the line, and
 * never change their order.
 */
export class Uplink {
  private readonly waiting: { dueAt: number; send: () => void }[] = [];
  private readonly random: () => number;
  private readonly jitterFrames: number;
  private lastDueAt = 0;

  constructor(private readonly traits: Pick<LineTraits, 'jitter_ms' | 'bursts' | 'seed'>) {
    this.random = seededRandom(traits.seed);
    this.jitterFrames = Math.round(traits.jitter_ms / FRAME_MS);
  }

  /** @param frame number of the current frame of the line */
  sendAudio(frame: number, send: () => void): void {
    const share = (this.random() + 1) / 2;
    const jitter = Math.min(this.jitterFrames, Math.floor(share * (this.jitterFrames + 1)));
    this.lastDueAt = Math.max(this.lastDueAt, this.afterBurst(frame + jitter));
    this.send(frame, send);
  }

  /** An event that is not late itself, and follows the audio before it. */
  send(frame: number, send: () => void): void {
    if (this.lastDueAt <= frame && this.waiting.length === 0) return send();
    this.waiting.push({ dueAt: Math.max(this.lastDueAt, frame), send });
  }

  /** The line has reached this frame. */
  advance(frame: number): void {
    while (this.waiting[0] && this.waiting[0].dueAt <= frame) this.waiting.shift()?.send();
  }

  /** The stream ends: what is on its way arrives. */
  flush(): void {
    for (const { send } of this.waiting.splice(0)) send();
  }

  private afterBurst(frame: number): number {
    const { bursts } = this.traits;
    if (bursts === null) return frame;
    const every = Math.round(bursts.every_ms / FRAME_MS);
    const left = every - (frame % every);
    return left <= Math.round(bursts.lasts_ms / FRAME_MS) ? frame + left : frame;
  }
}
