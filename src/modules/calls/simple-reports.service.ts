import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import type { CallReport } from '../telephony/carrier-reports.js';
import { CallEnded, CallUnanswered } from './call-events.js';
import { CallMetricsService } from './call-metrics.service.js';
import { isRecordingUrl, stepsFor, UNANSWERED, type CallStatus } from './call-states.js';
import { Call } from './entities/call.entity.js';

/** What the carrier says of one call. */
interface SaidStatus {
  token: string;
  sid: string;
  status: CallStatus;
}

type EndedCall = Pick<Call, 'token' | 'type' | 'status' | 'endedReason'>;

const MAX_BATCH = 100;

/**
 * The calls that a batch of reports is about, with what is said. Those that somebody else has locked are left out: no
 * call waits for another. By account, in which order triggers lock accounts and attempts.
 */
const saidOf = (condition: string): string => `
  SELECT calls.id, said.sid, said.status
    FROM unnest($1::text[], $2::text[], $3::text[]) AS said (token, sid, status) JOIN calls USING (token)
   WHERE ${condition} ORDER BY calls.account_id, calls.id FOR UPDATE OF calls SKIP LOCKED`;

const valuesOf = (said: readonly SaidStatus[]): string[][] => [
  said.map(({ token }) => token),
  said.map(({ sid }) => sid),
  said.map(({ status }) => status),
];

/**
 * Applies the reports that most calls get, each without a transaction of its own: that a call that was just placed rings,
 * was answered or was not, that a person answered, the address of a recording.
 */
@Injectable()
export class SimpleReportsService {
  /** Reports that come together share a statement. */
  private readonly reached = new BatchLoader<SaidStatus, boolean>(
    (said) => this.markReached(said),
    MAX_BATCH,
  );
  private readonly unanswered = new BatchLoader<SaidStatus, boolean>(
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
    const [to] = status ? stepsFor({ status: 'initiated', endedBy: null }, status) : [];
    if (to === 'ringing' || to === 'in-progress') return this.reached.load({ token, sid, status: to });
    if (to && UNANSWERED.includes(to)) return this.unanswered.load({ token, sid, status: to });
    const columns = { carrierSid: () => 'coalesce(carrier_sid, :sid)' };
    const update = this.db.createQueryBuilder().update(Call).setParameter('sid', sid);
    if (answeredBy === 'human') update.set({ ...columns, answeredBy }).where({ token, screenedAt: IsNull() });
    else if (recordingUrl !== undefined && isRecordingUrl(recordingUrl))
      update.set({ ...columns, recordingUrl }).where({ token });
    else return false;
    return (await update.execute()).affected === 1;
  }

  private async markReached(said: readonly SaidStatus[]): Promise<boolean[]> {
    const mayFollow = `(calls.status = 'initiated' OR (calls.status, said.status) = ('ringing', 'in-progress'))`;
    const [rows]: [{ token: string }[], number] = await this.db.query(
      `UPDATE calls call
          SET carrier_sid = coalesce(call.carrier_sid, said.sid), status = said.status, updated_at = now(),
              answered_at = CASE WHEN said.status = 'in-progress' THEN clock_timestamp() END
         FROM (${saidOf(mayFollow)}) said WHERE call.id = said.id
       RETURNING token`,
      valuesOf(said),
    );
    return areIn(rows, said);
  }

  /** Times come from the database's clock: several processes write them. */
  private async markUnanswered(said: readonly SaidStatus[]): Promise<boolean[]> {
    const isOpen = `calls.status IN ('initiated', 'ringing') AND calls.transfers = '[]'`;
    const ended = await this.events.publishOfRows<EndedCall>(
      this.db.manager,
      `UPDATE calls call
          SET carrier_sid = coalesce(call.carrier_sid, said.sid), status = said.status, hold_micros = 0,
              check_at = NULL, ended_at = clock_timestamp(), updated_at = now()
         FROM (${saidOf(isOpen)}) said WHERE call.id = said.id
       RETURNING token, type, call.status, ended_reason AS "endedReason",
                 jsonb_build_object('callId', call.id, 'accountId', account_id, 'isAnswered', false,
                                    'wasPlaced', true) AS payload`,
      valuesOf(said),
      [CallEnded, CallUnanswered],
    );
    for (const call of ended) this.metrics.ended(call);
    return areIn(ended, said);
  }
}

function areIn(rows: readonly { token: string }[], said: readonly SaidStatus[]): boolean[] {
  const changed = new Set(rows.map(({ token }) => token));
  return said.map(({ token }) => changed.has(token));
}
