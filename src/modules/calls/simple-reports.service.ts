import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchLoader, fewRows } from '#src/common/persistence/batches.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import type { CallReport } from '../telephony/carrier-reports.js';
import { CallEnded, CallUnanswered } from './call-events.js';
import { CallMetricsService } from './call-metrics.service.js';
import { isRecordingUrl, stepsFor, UNANSWERED, type CallStatus } from './call-states.js';
import type { Call } from './entities/call.entity.js';

/** What the carrier says of one call; null: it says nothing of that. */
interface Said {
  token: string;
  sid: string;
  status: CallStatus | null;
  isHuman: boolean;
  recordingUrl: string | null;
}

type EndedCall = Pick<Call, 'token' | 'type' | 'status' | 'endedReason'>;

const MAX_BATCH = 100;

/**
 * The calls that a batch of reports is about, with what is said. Those that somebody else has locked are left out: no
 * call waits for another. By account, in which order triggers lock accounts and attempts.
 */
const saidOf = (condition: string): string => `
  SELECT calls.id, said.*
    FROM jsonb_to_recordset($1) AS said (n int, token text, sid text, status text, "isHuman" boolean,
      "recordingUrl" text)
    JOIN calls USING (token)
   WHERE ${fewRows('n')} AND ${condition} ORDER BY calls.account_id, calls.id FOR UPDATE OF calls SKIP LOCKED`;

/**
 * Applies the reports that most calls get, each without a transaction of its own: that a call that was just placed rings,
 * was answered or was not, that a person answered, the address of a recording.
 */
@Injectable()
export class SimpleReportsService {
  /** Reports that come together share a statement. */
  private readonly noted = new BatchLoader<Said, boolean>((said) => this.note(said), MAX_BATCH);
  private readonly unanswered = new BatchLoader<Said, boolean>(
    (said) => this.markUnanswered(said),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
    private readonly metrics: CallMetricsService,
  ) {}

  /** @returns false for another report, or when nothing changed: it is to be applied as others are */
  async apply(token: string, report: Omit<CallReport, 'token'>): Promise<boolean> {
    const { status, answeredBy, recordingUrl, sid } = report;
    const given = [status, answeredBy, recordingUrl].filter((value) => value !== undefined);
    if (given.length !== 1) return false;
    const said = { token, sid, status: null, isHuman: false, recordingUrl: null };
    const [to] = status ? stepsFor({ status: 'initiated', endedBy: null }, status) : [];
    if (to && UNANSWERED.includes(to)) return this.unanswered.load({ ...said, status: to });
    if (to === 'ringing' || to === 'in-progress') return this.noted.load({ ...said, status: to });
    if (answeredBy === 'human') return this.noted.load({ ...said, isHuman: true });
    if (recordingUrl !== undefined && isRecordingUrl(recordingUrl))
      return this.noted.load({ ...said, recordingUrl });
    return false;
  }

  private async note(said: readonly Said[]): Promise<boolean[]> {
    const mayFollow = `(said.status IS NULL OR calls.status = 'initiated'
        OR (calls.status, said.status) = ('ringing', 'in-progress'))
      AND (NOT said."isHuman" OR calls.screened_at IS NULL)`;
    const [rows]: [{ token: string }[], number] = await this.db.query(
      `UPDATE calls call
          SET carrier_sid = coalesce(call.carrier_sid, said.sid), status = coalesce(said.status, call.status),
              updated_at = now(), recording_url = coalesce(said."recordingUrl", call.recording_url),
              answered_by = CASE WHEN said."isHuman" THEN 'human' ELSE answered_by END,
              answered_at = CASE WHEN said.status = 'in-progress' THEN clock_timestamp() ELSE answered_at END
         FROM (${saidOf(mayFollow)}) said WHERE call.id = said.id
       RETURNING call.token`,
      [JSON.stringify(ofEachCall(said))],
    );
    return areIn(rows, said);
  }

  /** Times come from the database's clock: several processes write them. */
  private async markUnanswered(said: readonly Said[]): Promise<boolean[]> {
    const isOpen = `calls.status IN ('initiated', 'ringing') AND calls.transfers = '[]'`;
    const ended = await this.events.publishOfRows<EndedCall>(
      this.db.manager,
      `UPDATE calls call
          SET carrier_sid = coalesce(call.carrier_sid, said.sid), status = said.status, hold_micros = 0,
              check_at = NULL, ended_at = clock_timestamp(), updated_at = now()
         FROM (${saidOf(isOpen)}) said WHERE call.id = said.id
       RETURNING call.token, type, call.status, ended_reason AS "endedReason",
                 jsonb_build_object('callId', call.id, 'accountId', account_id, 'isAnswered', false,
                                    'wasPlaced', true) AS payload`,
      [JSON.stringify(ofEachCall(said))],
      [CallEnded, CallUnanswered],
    );
    for (const call of ended) this.metrics.ended(call);
    return areIn(ended, said);
  }
}

/** One row for each call: what was said at the same time, put together. A call that was answered also rang. */
function ofEachCall(said: readonly Said[]): (Said & { n: number })[] {
  const calls = new Map<string, Said>();
  for (const one of said) {
    const known = calls.get(one.token) ?? one;
    calls.set(one.token, {
      ...one,
      status: known.status === 'in-progress' ? known.status : (one.status ?? known.status),
      isHuman: known.isHuman || one.isHuman,
      recordingUrl: one.recordingUrl ?? known.recordingUrl,
    });
  }
  return [...calls.values()].map((one, n) => ({ ...one, n }));
}

function areIn(rows: readonly { token: string }[], said: readonly Said[]): boolean[] {
  const changed = new Set(rows.map(({ token }) => token));
  return said.map(({ token }) => changed.has(token));
}
