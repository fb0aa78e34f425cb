import { playScenario } from '../../../test/support/scenarios/judge-scenario.js';
import { runScenario } from '../../../test/support/scenarios/run-scenario.js';
import type { Mutation } from '../../../test/support/scenarios/mutation.js';
import type { Scenario } from '../../../test/support/scenarios/scenario.types.js';
import { Recording, type Planned } from './mutations.js';

/** The plan and documents of a scenario's call. */
export async function plannedBy(scenario: Scenario): Promise<Planned> {
  const recording = new Recording();
  return recording.planned(await runScenario(scenario, 'ordinary', recording));
}

/** Name of the first scenario that fails with the mutation; null: none fails. */
export async function firstCatch(scenarios: readonly Scenario[], mutation: Mutation): Promise<string | null> {
  for (const scenario of scenarios) {
    if ((await playScenario(scenario, 'ordinary', mutation)).length > 0) return scenario.name;
  }
  return null;
}
