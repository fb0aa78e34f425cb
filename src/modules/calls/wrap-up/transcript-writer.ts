import type { DataSource } from 'typeorm';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import type { ModelUsageRecord, CallTurnView } from '../call.view.js';

/** A call, and who may write what is said in it. */
export interface TranscriptClaim {
  callId: number;
  claim: number;
}

/** What is said in a call, when it was heard to its end, or the tokens of an answer. */
type TranscriptEntry = TranscriptClaim &
  (
    | ({ kind: 'turn' } & CallTurnView)
    | { kind: 'played'; seq: number; at: number }
    | ({ kind: 'usage'; seq: number } & Omit<ModelUsageRecord, 'afterSeq'>)
  );

const MAX_BATCH = 100;
/** How long a write waits for those of other calls. */
const WAIT_MS = 100;

/**
 * Writes of many calls ($1), of those that no other process has taken over. Of one call there is one at a time, so none
 * depends on another. Returns those that are written.
 */
const textOf = (whenLocked: string): string => `
  WITH said AS MATERIALIZED (
    SELECT said.* FROM jsonb_to_recordset($1) AS said (n int, kind text, "callId" int, claim int, seq int, role text,
      text text, interrupted boolean, timings jsonb, at bigint, model text, prompt int, cached int, completion int)
      JOIN calls ON calls.id = "callId" AND conversation_claim = claim
     WHERE ${assumeFewRows('"callId"')} FOR KEY SHARE OF calls ${whenLocked}),
  turned AS (
    INSERT INTO call_turns (call_id, seq, role, text, interrupted, timings)
    SELECT "callId", seq, role, text, interrupted, timings FROM said WHERE kind = 'turn'
    ON CONFLICT (call_id, seq) DO UPDATE
      SET text = excluded.text, interrupted = excluded.interrupted, timings = excluded.timings),
  played AS (
    UPDATE call_turns turn SET timings = turn.timings || jsonb_build_object('played', at)
      FROM said WHERE kind = 'played' AND turn.call_id = "callId" AND turn.seq = said.seq),
  used AS (
    INSERT INTO call_model_usages (call_id, after_seq, model, prompt_tokens, cached_tokens, completion_tokens)
    SELECT "callId", seq, model, prompt, cached, completion FROM said WHERE kind = 'usage')
  SELECT n FROM said`;

const TOGETHER = textOf('SKIP LOCKED');
const ALONE = textOf('');

/**
 * What is said in many calls is written together: a write waits for others, at most 100 ms, and resolves when it is
 * stored. A call that somebody else has locked is left out and written alone, so that no conversation waits for
 * another.
 */
export class TranscriptWriter {
  private readonly batches = new BatchLoader<TranscriptEntry, Promise<void>>(
    (said) => this.writeAll(said),
    MAX_BATCH,
    WAIT_MS,
  );

  constructor(private readonly db: DataSource) {}

  async write(said: TranscriptEntry): Promise<void> {
    await this.batches.load(said);
  }

  /** Nothing waits any longer. */
  flush(): void {
    this.batches.flush();
  }

  private async writeAll(said: TranscriptEntry[]): Promise<Promise<void>[]> {
    const written = new Set(await this.send(TOGETHER, said));
    // Not awaited: the next batch does not wait for a lock.
    return said.map(async (one, n) => {
      if (!written.has(n)) await this.send(ALONE, [one]);
    });
  }

  private async send(text: string, said: TranscriptEntry[]): Promise<number[]> {
    const records = said.map((one, n) => ({ ...one, n }));
    const rows = await this.db.query<{ n: number }[]>(text, [JSON.stringify(records)]);
    return rows.map(({ n }) => n);
  }
}
