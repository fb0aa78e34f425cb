import type { Settings } from '#src/config/settings.js';
import {
  BUDGET_MS,
  TurnModelFile,
  TurnModelFileError,
} from '#src/modules/speech/end-of-turn/turn-model-file.js';
import { fail, ok, runCheck, warn, type CheckResult, type Finding } from './finding.js';

/** Has the model at TURN_MODEL hear a turn of silence. */
export async function checkTurnModel({
  turnModel,
}: Pick<Settings['speech'], 'turnModel'>): Promise<Finding[]> {
  return turnModel === null ? [] : [await runCheck('end-of-turn model', () => hear(turnModel))];
}

async function hear(path: string): Promise<CheckResult> {
  try {
    const ms = await (await TurnModelFile.open(path)).trialMs();
    const what = `answers after ${ms} ms`;
    return ms > BUDGET_MS
      ? warn(what, `choose a smaller model: answers after ${BUDGET_MS} ms are ignored`)
      : ok(what);
  } catch (error) {
    if (!(error instanceof TurnModelFileError)) throw error;
    return fail(`${path} ${error.message}`, 'correct TURN_MODEL, see docs/run/turn-model.md');
  }
}
