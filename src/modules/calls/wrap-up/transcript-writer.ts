import type { DataSource } from 'typeorm';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import type { ModelUsageRecord, CallTurnView } from '../call.view.js';

/** A call with the claim that allows writing its transcript. */
export interface TranscriptClaim {
  callId: number;
  claim: number;
}

/** A turn, the end of its playback, or the tokens of a response. */
type TranscriptEntry = TranscriptClaim &
  (
    | ({ kind: 'turn'; turnKind: CallTurnView['kind'] } & Omit<CallTurnView, 'kind'>)
    | { kind: 'played'; seq: number; at: number }
    | ({ kind: 'usage'; seq: number } & Omit<ModelUsageRecord, 'afterSeq'>)
  );

const MAX_BATCH = 100;
/** Maximum wait of a write for writes of other calls. */
const WAIT_MS = 100;

/**
 * Writes entries of many calls ($1) with valid claims. Each call has one entry at a time, so none depends on another.
 * Returns the numbers of the written ones. `FOR SHARE` waits for a change of the claim, and reads the row again.
 */
const writeSql = (whenLocked: string): string => `
  WITH entries AS MATERIALIZED (
    SELECT entry.* FROM jsonb_to_recordset($1) AS entry (n int, kind text, "callId" int, claim int, seq int, role text,
      "turnKind" text, text text, interrupted boolean, timings jsonb, at bigint, model text, prompt int, cached int,
      completion int)
      JOIN calls ON calls.id = "callId" AND conversation_claim = claim
     WHERE ${assumeFewRows('"callId"')} FOR SHARE OF calls ${whenLocked}),
  turned AS (
    INSERT INTO call_turns (call_id, seq, role, kind, text, interrupted, timings)
    SELECT "callId", seq, role, "turnKind", text, interrupted, timings FROM entries entry WHERE kind = 'turn'
    ON CONFLICT (call_id, seq) DO UPDATE
      SET text = excluded.text, interrupted = excluded.interrupted, timings = excluded.timings),
  played AS (
    UPDATE call_turns turn SET timings = turn.timings || jsonb_build_object('played', at)
      FROM entries entry WHERE entry.kind = 'played' AND turn.call_id = "callId" AND turn.seq = entry.seq),
  used AS (
    INSERT INTO call_model_usages (call_id, after_seq, model, prompt_tokens, cached_tokens, completion_tokens)
    SELECT "callId", seq, model, prompt, cached, completion FROM entries entry WHERE kind = 'usage')
  SELECT n FROM entries`;

const WRITE_UNLOCKED = writeSql('SKIP LOCKED');
const WRITE_WAITING = writeSql('');

/**
 * Batches the writes of many calls: a write waits for others, at most 100 ms, and resolves when it is stored. Entries of
 * a locked call are written separately, so that no conversation waits for another.
 */
export class TranscriptWriter {
  private readonly batches = new BatchLoader<TranscriptEntry, Promise<void>>(
    (entries) => this.writeAll(entries),
    MAX_BATCH,
    WAIT_MS,
  );

  constructor(private readonly db: DataSource) {}

  async write(entry: TranscriptEntry): Promise<void> {
    await this.batches.load(entry);
  }

  /** Writes waiting entries now. */
  flush(): void {
    this.batches.flush();
  }

  private async writeAll(entries: TranscriptEntry[]): Promise<Promise<void>[]> {
    const written = new Set(await this.send(WRITE_UNLOCKED, entries));
    // Not awaited: the next batch does not wait for a lock.
    return entries.map(async (one, n) => {
      if (!written.has(n)) await this.send(WRITE_WAITING, [one]);
    });
  }

  private async send(text: string, entries: TranscriptEntry[]): Promise<number[]> {
    const records = entries.map((one, n) => ({ ...one, n }));
    const rows = await this.db.query<{ n: number }[]>(text, [JSON.stringify(records)]);
    return rows.map(({ n }) => n);
  }
}
