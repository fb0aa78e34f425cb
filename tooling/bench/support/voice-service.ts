import { SANDBOX_ACCOUNT_SID, SANDBOX_AUTH_TOKEN } from '../../sandbox/defaults.js';
import { assistantBody } from '../rest/bodies.js';
import { anAccount } from './account.js';
import type { ServiceProcess } from '../../harness/server-process.js';
import type { BenchDatabase } from './database.js';
import { startService } from './service.js';

/** A service with one account and one assistant. */
export interface VoiceService {
  service: ServiceProcess;
  /** Of the account. */
  headers: Record<string, string>;
  assistantId: number;
  /** Of the assistant. */
  number: string;
}

/**
 * Runs the service with external carrier and model.
 *
 * @param modelUrl of the carrier's and the model's endpoints
 * @param fields of the assistant, which answers inbound calls
 */
export async function withVoiceService<T>(
  { pool, ...database }: BenchDatabase,
  modelUrl: string,
  fields: Record<string, unknown>,
  work: (voice: VoiceService) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const { id, headers } = await anAccount(pool, `voice-${crypto.randomUUID()}`);
  const { rows } = await pool.query<{ id: number; number: string }>(
    'SELECT id, phone_number AS number FROM phone_numbers WHERE account_id = $1',
    [id],
  );
  const [phone] = rows;
  if (!phone) throw new Error('the account has no number');
  const service = await startService(
    { pool, ...database },
    {
      TWILIO_ACCOUNT_SID: SANDBOX_ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: SANDBOX_AUTH_TOKEN,
      TWILIO_API_URL: modelUrl,
      LLM_BASE_URL: `${modelUrl}/v1`,
      LLM_API_KEY: 'bench',
      ...env,
    },
  );
  try {
    const body = {
      ...assistantBody(0),
      calls_direction: 'receive',
      phone_number_id: phone.id,
      post_call_evaluation: false,
      record_call: false,
      initial_message: 'Hello.',
      ...fields,
    };
    const answer = await fetch(`${service.url}/api/user/assistant`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`no assistant was created: ${answer.status} ${await answer.text()}`);
    const { id: assistantId } = ((await answer.json()) as { data: { id: number } }).data;
    return await work({ service, headers, assistantId, number: phone.number });
  } finally {
    await service.stop();
  }
}
