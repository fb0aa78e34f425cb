import { noted, type Finding } from '../support/findings.js';
import { say } from '../support/progress.js';

/** Parts of the work for a call; `due rows`: queries for due rows without a notification. */
export const PHASES = [
  'dial',
  'placer',
  'callbacks',
  'conversation',
  'wrap-up',
  'outcome',
  'relay',
  'webhook row',
  'delivery',
  'due rows',
  'other',
] as const;
export type Phase = (typeof PHASES)[number];

export interface StatementCounts {
  /** Time of the count; ms since 1970. */
  at: number;
  /** CPU time of the process since its start. */
  cpuMs: number;
  /** Of each transaction that placed calls: the duration of the account's lock. */
  holdMs: number[];
  statements: { phase: Phase; text: string; count: number }[];
}

/** Difference of two readings. */
export function since(before: StatementCounts, after: StatementCounts): StatementCounts {
  const known = new Map(before.statements.map(({ phase, text, count }) => [`${phase} ${text}`, count]));
  const statements = after.statements
    .map((one) => ({ ...one, count: one.count - (known.get(`${one.phase} ${one.text}`) ?? 0) }))
    .filter(({ count }) => count > 0);
  return {
    at: after.at - before.at,
    cpuMs: after.cpuMs - before.cpuMs,
    holdMs: after.holdMs.slice(before.holdMs.length),
    statements,
  };
}

export function countOf({ statements }: StatementCounts, phases: readonly Phase[] = PHASES): number {
  const of = statements.filter(({ phase }) => phases.includes(phase));
  return of.reduce((sum, { count }) => sum + count, 0);
}

/** Statements for each of these calls. */
export const byPhase = (name: string, counted: StatementCounts, calls: number): Finding[] =>
  PHASES.filter((phase) => countOf(counted, [phase]) > 0).map((phase) =>
    noted(`${name}: ${phase}`, 'statements', countOf(counted, [phase]) / calls),
  );

/** With BENCH_TEXTS: each statement, the most frequent of a phase first. */
export function printTexts({ statements: counted }: StatementCounts, calls: number): void {
  if (!process.env.BENCH_TEXTS) return;
  const order = (phase: Phase): number => PHASES.indexOf(phase);
  const sorted = [...counted].sort((a, b) => order(a.phase) - order(b.phase) || b.count - a.count);
  for (const { phase, text, count } of sorted)
    say(`${(count / calls).toFixed(2)}  ${phase}: ${text.replace(/\s+/g, ' ').slice(0, 150)}`);
}
