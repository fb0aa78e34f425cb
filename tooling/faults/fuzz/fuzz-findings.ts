import { say } from '../support/run-options.js';
import { responseProblem, type FuzzResponse } from './verify-fuzz.js';

const SHOWN = 30;
/** Characters of a log line. */
const LOGGED = 600;

interface Finding {
  count: number;
  reproduction: string;
  requestId: string | null;
}

/** Counts responses and keeps the first request of each kind of problem. */
export class FuzzFindings {
  readonly statuses = new Map<number, number>();
  private readonly found = new Map<string, Finding>();

  /** @param requestId as in the log of the service */
  add(answer: FuzzResponse, reproduction: () => string, requestId: string | null = null): void {
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const problem = responseProblem(answer);
    if (problem !== null) this.note(`${answer.route}: ${problem}`, reproduction, requestId);
  }

  note(problem: string, reproduction: () => string, requestId: string | null = null): void {
    const known = this.found.get(problem);
    if (known) known.count++;
    else this.found.set(problem, { count: 1, reproduction: reproduction(), requestId });
  }

  problems(): string[] {
    return [...this.found].map(([problem, { count }]) => `${problem} (${count} times)`);
  }

  /** @param log output of the service */
  print(log: string): void {
    const statuses = [...this.statuses].sort(([a], [b]) => a - b);
    const told = statuses.map(([status, count]) => `${status}: ${count}`).join(', ');
    if (told !== '') say(`answers by status: ${told}`);
    const lines = log.split('\n');
    for (const [problem, { count, reproduction, requestId }] of [...this.found].slice(0, SHOWN)) {
      say(`${problem} (${count} times)\n  ${reproduction}`);
      const logged = requestId === null ? undefined : lines.find((line) => line.includes(requestId));
      if (logged !== undefined) say(`  ${logged.slice(0, LOGGED)}`);
    }
  }
}
