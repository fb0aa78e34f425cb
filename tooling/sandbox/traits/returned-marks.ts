import { seededRandom } from '../speech/seeded-random.js';
import type { LineTraits } from './line-traits.js';

const FRAME_MS = 20;
/** A mark that returns twice does so the second time after other marks. */
const REPEATED_AFTER = 5;

/** The marks that a line returns: some are late, lost or doubled. Times are numbers of frames of the line. */
export class ReturnedMarks {
  private waiting: { name: string; dueAt: number }[] = [];
  private readonly random: () => number;
  private readonly lateFrames: number;

  constructor(private readonly traits: Pick<LineTraits, 'marks' | 'seed'>) {
    this.random = seededRandom(traits.seed);
    this.lateFrames = Math.round(traits.marks.late_ms / FRAME_MS);
  }

  /** The audio before these marks was played, or was cleared. */
  add(names: readonly string[], frame: number): void {
    const { lost, doubled } = this.traits.marks;
    for (const name of names) {
      if (this.share() < lost) continue;
      const dueAt = frame + this.lateFrames;
      this.waiting.push({ name, dueAt });
      if (this.share() < doubled) this.waiting.push({ name, dueAt: dueAt + REPEATED_AFTER });
    }
  }

  /** @returns the marks that return now */
  take(frame: number): string[] {
    const due = this.waiting.filter(({ dueAt }) => dueAt <= frame);
    if (due.length > 0) this.waiting = this.waiting.filter(({ dueAt }) => dueAt > frame);
    return due.map(({ name }) => name);
  }

  private share(): number {
    return (this.random() + 1) / 2;
  }
}
