/**
 * npm run faults -- scenarios [--broken variant]: plays the scenarios that do not concern the relay in multimodal
 * mode, over an audio line and a realtime model, in virtual time.
 */
import { Logger } from '@nestjs/common';
import { playScenario } from '../../test/support/scenarios/judge-scenario.js';
import { speaksOfRelay } from '../../test/support/scenarios/multimodal-scenarios.js';
import { readScenarios } from '../../test/support/scenarios/read-scenarios.js';
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
  for (const scenario of spoken) {
    const { file, name } = scenario;
    const problems = await playScenario(scenario, 'audio');
    const isExcepted = scenario.except?.audio !== undefined;
    if (!isExcepted) wrong.push(...problems.map((problem) => `${file}: ${name}: ${problem}`));
    else if (problems.length === 0) wrong.push(`${file}: ${name}: its exception is not needed any more`);
  }
  const excepted = spoken.filter(({ except }) => except?.audio !== undefined).length;
  say(`${spoken.length} of ${scenarios.length} scenarios played, ${excepted} of them are to fail`);
  return wrong;
}
