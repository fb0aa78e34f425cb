import type { JournalEntry } from '../../tooling/sandbox/journal.js';
import { inJournal } from '../../tooling/faults/conversations/in-journal.js';
import { wordProblems, type WordRules } from '../../tooling/faults/verifiers/multimodal.js';
import type { TestAccount } from '../factories/account.js';
import type { CallRecord } from '../factories/call.js';
import type { CarrierBench, NetworkEvent } from './carrier-bench.js';
import { until } from './until.js';

/** A call that has ended, as the carrier and as the API tell of it. */
export interface HeardCall {
  journal: NetworkEvent[];
  transcript: string;
  call: Record<string, unknown>;
  /** When the service stopped its own speech, in milliseconds since the epoch. */
  interruptedAt: number[];
}

/** Waits for the end of a call, also at the carrier. */
export async function heardCall(
  bench: CarrierBench,
  { client }: TestAccount,
  id: number,
): Promise<HeardCall> {
  const call = await until(async () => {
    const { body } = await client.get<CallRecord>(`/user/calls/${id}`);
    return body.status === 'completed' ? body : null;
  });
  const { sid } = await bench.callAtCarrier(id);
  const journal = await until(async () => {
    const entries = (await bench.journal()).filter((entry) => entry.sid === sid);
    return entries.some(({ event }) => event === 'status:completed') ? entries : null;
  });
  const { rows } = await bench.db.query<{ at: number }>(
    `SELECT (timings->>'interrupted')::float8 AS at FROM call_turns WHERE call_id = $1 AND timings ? 'interrupted'`,
    [id],
  );
  const record = call as unknown as Record<string, unknown>;
  return {
    journal,
    transcript: String(record['transcript']),
    call: record,
    interruptedAt: rows.map(({ at }) => at),
  };
}

/** Where the record is not what both sides heard, as fault runs judge it: docs/build/testing.md, "Fault runs". */
export function problemsOf(
  { journal, transcript, interruptedAt }: HeardCall,
  rules: Partial<WordRules> = {},
): string[] {
  const heard = { ...inJournal(journal as unknown as JournalEntry[]), transcript, interruptedAt };
  const notice = 'You are speaking with an automated assistant.';
  return wordProblems(heard, { notice, killedAt: null, ...rules });
}
