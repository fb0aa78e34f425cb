/**
 * npm run faults -- conversations [--seed N] [--only kill|stop|drain|storm|hostile] [--calls N] [--broken
 * deaf|nameless]: calls whose process is killed or stopped, whose sessions end with errors, with difficult callees,
 * models and tools. Every call ends with a named reason, the assistant does not leave the customer in silence, and
 * the transcript equals the heard speech.
 */
import { drain } from './conversations/drain-parts.js';
import { hostile, kill, stop, storm, type PartOptions } from './conversations/conversation-parts.js';
import { conclude } from './support/conclude.js';
import { seeded, seedOf } from './support/random.js';
import { numberOption, say, textOption } from './support/run-options.js';

const PARTS: Record<string, { run: (options: PartOptions) => Promise<string[]>; calls: number }> = {
  kill: { run: kill, calls: 50 },
  stop: { run: stop, calls: 50 },
  drain: { run: drain, calls: 50 },
  storm: { run: storm, calls: 30 },
  hostile: { run: hostile, calls: 500 },
};

interface Defect {
  /** Assignment of an UPDATE of the calls. */
  sql: string;
  /** Matches the problem that it causes. */
  planted: RegExp;
}

export const BROKEN: Record<string, Defect> = {
  deaf: {
    sql: `transcript = replace(transcript, 'Hello', 'Hallo')`,
    planted: /heard ".*Hello.*stored ".*Hallo/,
  },
  nameless: { sql: 'ended_reason = NULL', planted: /without a named reason/ },
};
/** Enough to detect a planted defect; without a kill. */
const BROKEN_PART = 'hostile';
const BROKEN_CALLS = 5;
const MATCHES_NOTHING = /(?!)/;

export async function run(args: string[]): Promise<void> {
  const variant = textOption(args, '--broken');
  const defect = variant === null ? null : BROKEN[variant];
  if (defect === undefined) throw new Error(`--broken needs one of: ${Object.keys(BROKEN).join(', ')}`);
  const only = textOption(args, '--only') ?? (defect ? BROKEN_PART : null);
  if (only !== null && !PARTS[only]) throw new Error(`--only needs one of: ${Object.keys(PARTS).join(', ')}`);
  const random = seeded(seedOf(args));
  const problems: string[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (only !== null && only !== name) continue;
    const calls = numberOption(args, '--calls', defect ? BROKEN_CALLS : part.calls);
    const started = performance.now();
    const found = await part.run({ random, calls, defect: defect?.sql ?? null });
    say(`${name}: ${found.length} wrong, took ${Math.round((performance.now() - started) / 1000)} s`);
    for (const problem of found) say(problem);
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  conclude(problems, { broken: defect !== null, planted: defect?.planted ?? MATCHES_NOTHING });
}
