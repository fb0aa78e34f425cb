import { SANDBOX_ACCOUNT_SID, SANDBOX_AUTH_TOKEN } from '../../sandbox/defaults.js';
import { assistantBody } from '../rest/bodies.js';
import { anAccount } from '../support/account.js';
import { openDatabase, type BenchDatabase } from '../support/database.js';
import { ROUNDS } from '../support/pace.js';
import { say } from '../support/progress.js';
import { startService } from '../support/service.js';
import { median } from '../support/stats.js';
import { AskedModel } from './asked-model.js';
import { askOverPhone } from './called-service.js';

const QUESTIONS = 21;

/** From the customer's words to the request to the model, in ms. */
export interface ColdStart {
  /** The first turn of a process; the median over processes. */
  first: number;
  /** Median of the later turns of the same calls. */
  later: number;
}

/** Asks over the first call of a process that has just started, again and again. */
export async function coldStart(): Promise<ColdStart> {
  const database = await openDatabase();
  const model = new AskedModel();
  const modelUrl = await model.start();
  const first: number[] = [];
  const later: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      say('engine: the first call of a process');
      const [one = NaN, ...others] = await askNewProcess(database, model, modelUrl, round);
      first.push(one);
      later.push(...others);
    }
    return { first: median(first), later: median(later) };
  } finally {
    await model.stop();
    await database.close();
  }
}

async function askNewProcess(
  database: BenchDatabase,
  model: AskedModel,
  modelUrl: string,
  round: number,
): Promise<number[]> {
  const { id, headers } = await anAccount(database.pool, `cold-${round}`);
  const { rows } = await database.pool.query<{ id: number; phone_number: string }>(
    'SELECT id, phone_number FROM phone_numbers WHERE account_id = $1',
    [id],
  );
  const [number] = rows;
  if (!number) throw new Error('the account has no number');
  const service = await startService(database, {
    TWILIO_ACCOUNT_SID: SANDBOX_ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: SANDBOX_AUTH_TOKEN,
    TWILIO_API_URL: modelUrl,
    LLM_BASE_URL: modelUrl,
    LLM_API_KEY: 'bench',
  });
  try {
    const inbound = { calls_direction: 'receive', phone_number_id: number.id, post_call_evaluation: false };
    const answer = await fetch(`${service.url}/api/user/assistant`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        ...assistantBody(round),
        ...inbound,
        initial_message: 'Hello.',
        record_call: false,
      }),
    });
    if (!answer.ok) throw new Error(`no assistant was created: ${answer.status}`);
    return await askOverPhone(service.url, number.phone_number, model, QUESTIONS);
  } finally {
    await service.stop();
  }
}
