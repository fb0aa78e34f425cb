/**
 * npm run faults -- multimodal [--seed N] [--only kill|kill-providers|cut|hostile|providers] [--calls N]
 * [--difficult-lines] [--broken unheard|greets|uncharged]: calls over audio, of assistants with a realtime model and of
 * those with speech providers. A process is killed, sessions of the model are reset, and callees, tools and models are
 * difficult, with the option also the lines. Every call ends with a named reason, is charged once and holds no slot
 * afterwards; the stored transcript equals the heard speech of each side, word by word.
 */
import {
  cut,
  hostile,
  kill,
  killProviders,
  providers,
  type MultimodalOptions,
} from './conversations/multimodal-parts.js';
import { conclude } from './support/conclude.js';
import { seeded, seedOf } from './support/random.js';
import { numberOption, say, textOption } from './support/run-options.js';

type Part = (options: MultimodalOptions) => Promise<string[]>;

/** `rounds`: repetitions, each on a cluster of its own. */
const PARTS: Record<string, { run: Part; calls: number; rounds: number }> = {
  kill: { run: kill, calls: 30, rounds: 2 },
  'kill-providers': { run: killProviders, calls: 15, rounds: 1 },
  cut: { run: cut, calls: 70, rounds: 1 },
  hostile: { run: hostile, calls: 70, rounds: 1 },
  providers: { run: providers, calls: 45, rounds: 1 },
};

interface Defect {
  /** Module in `faults/`; null: a change of the stored calls. */
  preload: string | null;
  /** Assignment of an UPDATE of the calls. */
  sql: string | null;
  part: string;
  /** Matches the problem that it causes. */
  planted: RegExp;
}

export const BROKEN: Record<string, Defect> = {
  unheard: { preload: 'broken/keep-unheard', sql: null, part: 'hostile', planted: /AI, from character/ },
  greets: { preload: 'broken/greet-again', sql: null, part: 'kill', planted: /greets again/ },
  uncharged: {
    preload: null,
    sql: 'total_cost_micros = total_cost_micros + 1',
    part: 'hostile',
    planted: /account \d+/,
  },
};
/** Enough to detect a planted defect. */
const BROKEN_CALLS = 12;

export async function run(args: string[]): Promise<void> {
  const variant = textOption(args, '--broken');
  const defect = variant === null ? null : BROKEN[variant];
  if (defect === undefined) throw new Error(`--broken needs one of: ${Object.keys(BROKEN).join(', ')}`);
  const only = textOption(args, '--only') ?? defect?.part ?? null;
  if (only !== null && !PARTS[only]) throw new Error(`--only needs one of: ${Object.keys(PARTS).join(', ')}`);
  const random = seeded(seedOf(args));
  const problems: string[] = [];
  let judged = 0;
  for (const [name, part] of Object.entries(PARTS)) {
    if (only !== null && only !== name) continue;
    const calls = numberOption(args, '--calls', defect ? BROKEN_CALLS : part.calls);
    const preload = defect?.preload ? [defect.preload] : [];
    for (let round = defect ? part.rounds : 1; round <= part.rounds; round += 1) {
      const started = performance.now();
      const found = await part.run({
        random,
        calls,
        defect: defect?.sql ?? null,
        preload,
        difficultLines: args.includes('--difficult-lines'),
        judged: (count) => (judged += count),
      });
      say(`${name}: ${found.length} wrong, took ${Math.round((performance.now() - started) / 1000)} s`);
      for (const problem of found) say(problem);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
  }
  say(`words were judged in ${judged} calls`);
  conclude(problems, { broken: defect !== null, planted: defect?.planted ?? /(?!)/ });
}
