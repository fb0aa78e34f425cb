import { openDatabase, type BenchDatabase } from '../support/database.js';
import { ROUNDS } from '../support/pace.js';
import { say } from '../support/progress.js';
import { median } from '../support/stats.js';
import { withVoiceService } from '../support/voice-service.js';
import { TimedModel } from './timed-model.js';
import { askOverPhone } from './called-service.js';

const QUESTIONS = 21;

/** From the customer's utterance to the request to the model, in ms. */
export interface ColdStart {
  /** The first turn of a process; the median over processes. */
  first: number;
  /** Median of the later turns of the same calls. */
  later: number;
}

/** Repeatedly sends questions over the first call of a newly started process. */
export async function coldStart(): Promise<ColdStart> {
  const database = await openDatabase();
  const model = new TimedModel();
  const modelUrl = await model.start();
  const first: number[] = [];
  const later: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      say('engine: the first call of a process');
      const [one = NaN, ...others] = await askNewProcess(database, model, modelUrl);
      first.push(one);
      later.push(...others);
    }
    return { first: median(first), later: median(later) };
  } finally {
    await model.stop();
    await database.close();
  }
}

const askNewProcess = (database: BenchDatabase, model: TimedModel, modelUrl: string): Promise<number[]> =>
  withVoiceService(database, modelUrl, {}, ({ service, number }) =>
    askOverPhone(service.url, number, model, QUESTIONS),
  );
