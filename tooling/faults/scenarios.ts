/**
 * npm run faults -- scenarios [--broken variant]: plays the scenarios that do not concern the relay in multimodal
 * mode, over two audio lines, of which one is difficult, and a realtime model, in virtual time.
 */
import { Logger } from '@nestjs/common';
import { playScenario } from '../../test/support/scenarios/judge-scenario.js';
import { exceptionOn, speaksOfRelay } from '../../test/support/scenarios/multimodal-scenarios.js';
import { readScenarios } from '../../test/support/scenarios/read-scenarios.js';
import { AUDIO_LINES, type Line, type Scenario } from '../../test/support/scenarios/scenario.types.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';

/** Each is a module in `faults/broken`. */
export const BROKEN = { overstates: 'speech counts as heard when it is sent' };

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ broken }: RunOptions): Promise<string[]> {
  Logger.overrideLogger(false);
  if (broken !== null) await import('./broken/overstate-speech.js');
  const scenarios = readScenarios('test/scenarios').filter(({ pending }) => pending === undefined);
  const spoken = scenarios.filter((scenario) => !speaksOfRelay(scenario));
  const wrong: string[] = [];
  for (const line of AUDIO_LINES) {
    wrong.push(...(await playAll(spoken, line)));
    const excepted = spoken.filter((scenario) => exceptionOn(scenario, line) !== undefined).length;
    say(`${line}: ${spoken.length} of ${scenarios.length} scenarios played, ${excepted} of them are to fail`);
  }
  return wrong;
}

async function playAll(scenarios: readonly Scenario[], line: Line): Promise<string[]> {
  const wrong: string[] = [];
  for (const scenario of scenarios) {
    const name = `${line}: ${scenario.file}: ${scenario.name}`;
    const problems = await playScenario(scenario, line);
    if (exceptionOn(scenario, line) === undefined)
      wrong.push(...problems.map((problem) => `${name}: ${problem}`));
    else if (problems.length === 0) wrong.push(`${name}: its exception is not needed any more`);
  }
  return wrong;
}
