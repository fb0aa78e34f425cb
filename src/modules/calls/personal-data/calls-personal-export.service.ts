import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PERSONAL_DATA_BATCH, type Person } from '#src/common/personal-data.js';
import { OF_PERSON, valuesOf } from './calls-of-person.js';

/** A call with its turns, tools and the answer of its webhook; names are those of the columns. */
export type ExportedCall = { id: number; turns: object[]; tool_runs: object[] } & Record<string, unknown>;

const SHOWN = `id, type, status, assistant_id, assistant_name, campaign_id, campaign_name, lead_id,
  assistant_phone_number, client_phone_number, variables, answered_by, ended_by, ended_reason, duration, transcript,
  evaluation, evaluation_error, transfers, carrier_sid, created_at, answered_at, ended_at, deleted_at,
  recording_url IS NOT NULL AS has_recording,
  (SELECT response FROM call_webhook_responses response WHERE response.call_id = calls.id) AS webhook_response,
  coalesce((SELECT json_agg(json_build_object('seq', seq, 'role', role, 'kind', kind, 'text', text,
      'interrupted', interrupted, 'created_at', created_at) ORDER BY seq)
    FROM call_turns turn WHERE turn.call_id = calls.id), '[]') AS turns,
  coalesce((SELECT json_agg(json_build_object('seq', seq, 'name', tool_name, 'arguments', arguments, 'result', answer,
      'error', error, 'status_code', status_code, 'created_at', created_at) ORDER BY seq)
    FROM call_tool_runs run WHERE run.call_id = calls.id), '[]') AS tool_runs`;

/** What calls have of a person, for the archive; also of deleted calls. */
@Injectable()
export class CallsPersonalExportService {
  constructor(private readonly db: DataSource) {}

  async *readCalls(person: Person): AsyncGenerator<ExportedCall> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const calls: ExportedCall[] = await this.db.query(
        `SELECT ${SHOWN} FROM calls WHERE ${OF_PERSON} AND id > $5 ORDER BY id LIMIT ${PERSONAL_DATA_BATCH}`,
        [...valuesOf(person), last],
      );
      yield* calls;
      last = calls.at(-1)?.id;
    }
  }

  /** The ids in batches, with those of calls that have a recording. */
  async *readIds(person: Person): AsyncGenerator<{ id: number; hasRecording: boolean }> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const calls: { id: number; hasRecording: boolean }[] = await this.db.query(
        `SELECT id, recording_url IS NOT NULL AS "hasRecording" FROM calls WHERE ${OF_PERSON} AND id > $5
          ORDER BY id LIMIT ${PERSONAL_DATA_BATCH}`,
        [...valuesOf(person), last],
      );
      yield* calls;
      last = calls.at(-1)?.id;
    }
  }

  /** Events of a call that are still kept, in their order. */
  readLiveEvents(callId: number): Promise<object[]> {
    return this.db.query(
      'SELECT call_id, kind, data, created_at FROM live_events WHERE call_id = $1 ORDER BY id',
      [callId],
    );
  }
}
