import { say } from './run-options.js';

const SHOWN = 20;

interface Expectation {
  broken: boolean;
  /** Matches the problem that the planted defect causes. */
  planted: RegExp;
}

/**
 * Ends a run.
 *
 * @throws when there are problems; with `broken`, when none of them matches `planted`
 */
export function conclude(problems: readonly string[], { broken, planted }: Expectation): void {
  if (broken) {
    const caught = problems.find((problem) => planted.test(problem));
    if (caught === undefined) throw new Error(`the planted defect was not noticed\n${shown(problems)}`);
    return say(`the planted defect was noticed: ${caught}`);
  }
  if (problems.length > 0) throw new Error(`${problems.length} wrong:\n${shown(problems)}`);
  say('nothing wrong');
}

const shown = (problems: readonly string[]): string => problems.slice(0, SHOWN).join('\n');
