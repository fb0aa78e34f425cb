import { say } from '../support/run-options.js';
import { answerProblem, type FuzzAnswer } from './judge-fuzz.js';

const SHOWN = 30;

interface Finding {
  count: number;
  reproduction: string;
}

/** Counts answers, and keeps of each kind of problem the first request that caused it. */
export class FuzzFindings {
  readonly statuses = new Map<number, number>();
  private readonly found = new Map<string, Finding>();

  add(answer: FuzzAnswer, reproduction: () => string): void {
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const problem = answerProblem(answer);
    if (problem !== null) this.note(`${answer.route}: ${problem}`, reproduction);
  }

  note(problem: string, reproduction: () => string): void {
    const known = this.found.get(problem);
    if (known) known.count++;
    else this.found.set(problem, { count: 1, reproduction: reproduction() });
  }

  problems(): string[] {
    return [...this.found].map(([problem, { count }]) => `${problem} (${count} times)`);
  }

  print(): void {
    const statuses = [...this.statuses].sort(([a], [b]) => a - b);
    say(`answers by status: ${statuses.map(([status, count]) => `${status}: ${count}`).join(', ')}`);
    for (const [problem, { count, reproduction }] of [...this.found].slice(0, SHOWN)) {
      say(`${problem} (${count} times)\n  ${reproduction}`);
    }
  }
}
