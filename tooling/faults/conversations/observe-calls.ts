import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { JournalEntry } from '../../sandbox/journal.js';
import type { Cluster } from '../support/cluster.js';
import { say } from '../support/run-options.js';
import type { ObservedCall } from '../verifiers/conversations.js';
import type { Placed } from './conversation-customer.js';
import { inJournal } from './in-journal.js';

const POLL_MS = 1_000;
const FINAL = new Set(['completed', 'busy', 'no-answer', 'failed']);

interface CallBody {
  status: string;
  transcript: string;
  ended_by: string | null;
  ended_reason: string | null;
}

/** Compares the API's records of calls with the carrier's journal. */
export class CallObserver {
  private readonly pool: pg.Pool;

  constructor(private readonly cluster: Cluster) {
    this.pool = new pg.Pool({ connectionString: cluster.databases.postgresUrl, max: 2 });
    this.pool.on('error', () => undefined);
  }

  /** Waits at most `ms` until every call is final. @returns the number of the others */
  async settle(calls: readonly Placed[], ms: number): Promise<number> {
    for (const deadline = Date.now() + ms; ; await sleep(POLL_MS)) {
      const open = await this.open(calls);
      if (open === 0 || Date.now() > deadline) return open;
    }
  }

  /** How many of the calls are not final. */
  async open(calls: readonly Placed[]): Promise<number> {
    const { rows } = await this.pool.query<{ status: string }>(
      'SELECT status FROM calls WHERE id = ANY($1)',
      [calls.map(({ id }) => id)],
    );
    return rows.filter(({ status }) => !FINAL.has(status)).length;
  }

  /** How many of the calls are in conversation. */
  async talking(calls: readonly Placed[]): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM calls WHERE id = ANY($1) AND status = 'in-progress'`,
      [calls.map(({ id }) => id)],
    );
    return rows[0]?.n ?? 0;
  }

  async observe(calls: readonly Placed[]): Promise<ObservedCall[]> {
    const bySid = new Map<string, JournalEntry[]>();
    for (const entry of this.cluster.sandbox.journal()) {
      bySid.set(entry.sid, [...(bySid.get(entry.sid) ?? []), entry]);
    }
    const { rows } = await this.pool.query<{ id: number; sid: string | null }>(
      'SELECT id, carrier_sid AS sid FROM calls WHERE id = ANY($1)',
      [calls.map(({ id }) => id)],
    );
    const sids = new Map(rows.map(({ id, sid }) => [id, sid]));
    const interruptions = await this.interruptions(calls);
    const observed: ObservedCall[] = [];
    for (const { id, name, account } of calls) {
      const body = await this.read(id, account.token);
      const entries = bySid.get(sids.get(id) ?? '') ?? [];
      observed.push({
        name,
        id,
        status: body.status,
        endedBy: body.ended_by,
        endedReason: body.ended_reason,
        transcript: body.transcript,
        interruptedAt: interruptions.get(id) ?? [],
        ...inJournal(entries),
      });
    }
    return observed;
  }

  private async interruptions(calls: readonly Placed[]): Promise<Map<number, number[]>> {
    const { rows } = await this.pool.query<{ id: number; times: number[] }>(
      `SELECT call_id AS id, array_agg((timings->>'interrupted')::float8) AS times FROM call_turns
        WHERE call_id = ANY($1) AND timings ? 'interrupted' GROUP BY call_id`,
      [calls.map(({ id }) => id)],
    );
    return new Map(rows.map(({ id, times }) => [id, times]));
  }

  /** Changes stored calls, to plant a defect. */
  async alter(assignment: string, calls: readonly Placed[]): Promise<void> {
    await this.pool.query(`UPDATE calls SET ${assignment} WHERE id = ANY($1)`, [calls.map(({ id }) => id)]);
  }

  /** Adds models whose names select oddities of the sandbox; a realtime model's fallback is the first model. */
  async addModels(names: readonly string[], mode = 'pipeline'): Promise<void> {
    await this.pool.query(
      `INSERT INTO language_models (id, name, mode, fallback_model_id)
       SELECT 90000 + ordinality, name, $2::text, CASE WHEN $2::text = 'multimodal' THEN 1 END
         FROM unnest($1::text[]) WITH ORDINALITY AS t(name, ordinality)`,
      [names, mode],
    );
  }

  /** Adds transcribers at the endpoint of the language model. @returns their ids, in this order */
  async addTranscribers(names: readonly string[]): Promise<number[]> {
    const { rows } = await this.pool.query<{ id: number }>(
      `INSERT INTO speech_providers (id, name, kind, adapter, code)
       SELECT 90000 + ordinality, name, 'transcriber',
              CASE WHEN name LIKE 'flux-%' THEN 'deepgram-flux' ELSE 'deepgram' END, name
         FROM unnest($1::text[]) WITH ORDINALITY AS t(name, ordinality) ORDER BY ordinality
       RETURNING id`,
      [names],
    );
    return rows.map(({ id }) => id);
  }

  /** Number of the calls that replaced the realtime model by its fallback. */
  async withoutRealtime(calls: readonly Placed[]): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM calls WHERE id = ANY($1) AND 'engine_type' = ANY(settings_not_applied)`,
      [calls.map(({ id }) => id)],
    );
    return rows[0]?.n ?? 0;
  }

  /** Slots in use without a running call. */
  async takenSlots(): Promise<string[]> {
    const { rows } = await this.pool.query<{ line: string }>(
      `SELECT concat_ws(' ', 'the slot of call', call_id, 'is', state) AS line FROM call_attempts
        WHERE state <> 'closed'`,
    );
    return rows.map(({ line }) => line);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async read(id: number, token: string): Promise<CallBody> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${this.cluster.publicUrl}/api/user/calls/${id}`, { headers });
    return (await response.json()) as CallBody;
  }
}

/** Prints how calls ended. */
export function tellEndings(calls: readonly ObservedCall[]): void {
  const counts = new Map<string, number>();
  for (const { status, endedBy, endedReason } of calls) {
    const key = [status, endedBy, endedReason].join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  say(`${calls.length} calls ended: ${JSON.stringify(Object.fromEntries(counts))}`);
}

/** Prints the times of each side's speech in a call, in milliseconds since its answer, and the stored transcript. */
export function tellSpeech({ id, answeredAt, socketLostAt, speech, transcript }: ObservedCall): void {
  const since = (at: number): number => at - (answeredAt ?? 0);
  say(`call ${id}: sockets lost after ${socketLostAt.map(since).join(', ')} ms`);
  for (const { at, who, text, heard = text, whole = true, reported = true } of speech) {
    const marks = `${whole ? '' : ' (cut)'}${reported ? '' : ' (not passed on)'}`;
    say(`  ${since(at)} ms ${who}: ${JSON.stringify(heard)}${marks}`);
  }
  for (const line of transcript.split('\n')) say(`  stored ${line}`);
}
