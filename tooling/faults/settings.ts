/**
 * npm run faults -- settings [--broken nothing]: replaces each field of the conversation's plan and each attribute of
 * the answer document by its default; for each at least one scenario has to fail.
 */
import { Logger } from '@nestjs/common';
import { parseScenarios, readScenarios } from '../../test/support/scenarios/read-scenarios.js';
import { UNCHANGED } from '../../test/support/scenarios/mutation.js';
import { verifySettings, type Verdict } from './verifiers/settings.js';
import { isFixed, isUnused, mutationsOf, type NamedMutation, type Planned } from './settings/mutations.js';
import { firstCatch, plannedBy } from './settings/settings-bench.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';

/** `nothing`: a mutation that changes nothing is among the others. */
export const BROKEN = { nothing: 'a replacement without effect' };

const BARE = `scenarios: [{ name: bare, call: { until: 2s }, expect: {} }]`;

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ broken }: RunOptions): Promise<string[]> {
  Logger.overrideLogger(false);
  const scenarios = readScenarios('test/scenarios').filter(
    ({ pending, except }) => pending === undefined && except?.ordinary === undefined,
  );
  const wrong = await firstCatch(scenarios, UNCHANGED);
  if (wrong !== null) throw new Error(`"${wrong}" fails without a replacement`);
  const [bare] = parseScenarios(BARE, 'bare.yaml', {});
  if (!bare) throw new Error('there is no bare scenario');
  const planned: Planned[] = [];
  for (const scenario of scenarios) planned.push(await plannedBy(scenario));
  const mutations: NamedMutation[] =
    broken === 'nothing'
      ? [{ name: BROKEN.nothing, mutation: UNCHANGED }]
      : mutationsOf(await plannedBy(bare), planned).filter(
          ({ name }) => !isUnused(name) && !isFixed(name, planned),
        );
  const verdicts: Verdict[] = [];
  for (const { name, mutation } of mutations) {
    const caughtBy = await firstCatch(scenarios, mutation);
    verdicts.push({ mutation: name, caughtBy });
    say(`${name}: ${caughtBy === null ? 'SURVIVED' : `caught by "${caughtBy}"`}`);
  }
  say(`${verdicts.length} replaced, ${scenarios.length} scenarios`);
  return verifySettings(verdicts);
}
