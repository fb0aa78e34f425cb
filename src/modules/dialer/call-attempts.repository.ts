import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { CallView } from '../calls/call.view.js';
import { DialMetricsService } from './dial-metrics.service.js';
import { CallAttempt } from './entities/call-attempt.entity.js';

export type NewAttempt = Pick<
  CallAttempt,
  'accountId' | 'callId' | 'campaignId' | 'leadId' | 'contactId' | 'leadStatus' | 'phoneNumber'
> & {
  /** How long the slot is leased for. */
  slotSeconds: number;
};

export interface NumberFacts {
  isSuppressed: boolean;
  isInCall: boolean;
  /** Null: it may be called once more. */
  limitedUntil: Date | null;
}

export interface ClosedAttempt {
  accountId: number;
  campaignId: number | null;
  /** The carrier took the call. */
  wasPlaced: boolean;
}

/** An attempt with what its call came to. */
export interface EndedAttempt
  extends
    Pick<CallAttempt, 'contactId' | 'leadStatus' | 'phoneNumber'>,
    Pick<CallView, 'accountId' | 'status' | 'answeredBy' | 'endedReason' | 'evaluation' | 'evaluationError'> {
  callId: number;
  leadId: number;
  hasContacts: boolean;
  /** Another call to the lead is running. */
  isCalledAgain: boolean;
}

const MAX_BATCH = 100;

/** Leads of calls (`:keys`) whose outcome is not recorded. */
export const OPEN_LEADS =
  'SELECT lead_id FROM call_attempts WHERE call_id = ANY(:keys) AND outcome IS NULL AND lead_id IS NOT NULL';

/** Attempts that are live now; each occupies a slot. Writers hold the account's lock. */
@Injectable()
export class CallAttemptsRepository {
  /** Calls that are placed or end together share a statement. It locks attempts in the order of their ids. */
  private readonly placed = new BatchLoader<number, void>((calls) => this.markAllPlaced(calls), MAX_BATCH);
  private readonly closed = new BatchLoader<number, ClosedAttempt | null>(
    (calls) => this.closeAttempts(calls),
    MAX_BATCH,
  );

  constructor(
    @InjectRepository(CallAttempt) private readonly attempts: Repository<CallAttempt>,
    private readonly metrics: DialMetricsService,
  ) {}

  async insertAttempts(tx: EntityManager, attempts: readonly NewAttempt[]): Promise<void> {
    const rows = attempts.map(({ slotSeconds, ...attempt }) => ({
      ...attempt,
      state: 'requesting' as const,
      slotUntil: () => `now() + make_interval(secs => ${Number(slotSeconds)})`,
    }));
    await tx.insert(CallAttempt, rows);
  }

  /**
   * What is known of numbers of leads, in their order and in one statement: whether they may not be called, are in a
   * call now, as their lead is too, and until when they were called as often as `limits` allow.
   */
  async numberFacts(
    tx: EntityManager,
    accountId: number,
    numbers: readonly { leadId: number; phoneNumber: string }[],
    limits: { perDay: number; per30Days: number },
  ): Promise<NumberFacts[]> {
    const lastBut = (count: string, interval: string): string =>
      `(SELECT created_at + interval '${interval}' FROM calls
         WHERE account_id = $1 AND client_phone_number = number AND type = 'outbound' AND carrier_sid IS NOT NULL
           AND created_at > now() - interval '${interval}'
         ORDER BY created_at DESC OFFSET ${count} - 1 LIMIT 1)`;
    return tx.query(
      `SELECT EXISTS (SELECT 1 FROM suppressions WHERE account_id = $1 AND phone_number = number) AS "isSuppressed",
              EXISTS (SELECT 1 FROM call_attempts
                       WHERE account_id = $1 AND phone_number = number AND state <> 'closed')
                OR EXISTS (SELECT 1 FROM call_attempts
                            WHERE call_attempts.lead_id = asked.lead_id AND state <> 'closed') AS "isInCall",
              greatest(${lastBut('$4', '24 hours')}, ${lastBut('$5', '30 days')}) AS "limitedUntil"
         FROM unnest($2::int[], $3::text[]) WITH ORDINALITY AS asked (lead_id, number, position) ORDER BY position`,
      [
        accountId,
        numbers.map(({ leadId }) => leadId),
        numbers.map(({ phoneNumber }) => phoneNumber),
        limits.perDay,
        limits.per30Days,
      ],
    );
  }

  isNumberInCall(tx: EntityManager, accountId: number, phoneNumber: string): Promise<boolean> {
    return tx.existsBy(CallAttempt, { accountId, phoneNumber, state: Not('closed') });
  }

  async markPlaced(callId: number): Promise<void> {
    await this.placed.load(callId);
    this.metrics.placed();
  }

  /** Null: the call was not made for a campaign. */
  async campaignOf(callId: number): Promise<number | null> {
    return (await this.attempts.findOneBy({ callId }))?.campaignId ?? null;
  }

  /** Frees the slot. @returns the attempt when this call of the method closed it. */
  closeAttempt(callId: number): Promise<ClosedAttempt | null> {
    return this.closed.load(callId);
  }

  /** Of calls for a campaign's leads whose outcome is not recorded. */
  openOutcomes(callIds: number[]): Promise<{ callId: number; leadId: number; campaignId: number }[]> {
    return this.attempts.query(
      `SELECT call_id AS "callId", lead_id AS "leadId", campaign_id AS "campaignId" FROM call_attempts
        WHERE call_id = ANY($1) AND outcome IS NULL AND lead_id IS NOT NULL AND campaign_id IS NOT NULL`,
      [callIds],
    );
  }

  /**
   * Records the outcomes of calls, each once; those that were recorded before are left out. The caller has locked the
   * leads.
   */
  async recordOutcomes(tx: EntityManager, callIds: readonly number[]): Promise<EndedAttempt[]> {
    const [ended]: [EndedAttempt[], number] = await tx.query(
      `UPDATE call_attempts attempt SET outcome = call.status
         FROM (SELECT open.id, calls.status, answered_by, ended_reason, evaluation, evaluation_error
                 FROM call_attempts open JOIN calls ON calls.id = open.call_id
                WHERE open.call_id = ANY($1) AND outcome IS NULL AND open.lead_id IS NOT NULL
                ORDER BY open.id FOR UPDATE OF open) call
        WHERE attempt.id = call.id
       RETURNING call_id AS "callId", account_id AS "accountId", lead_id AS "leadId", contact_id AS "contactId",
                 lead_status AS "leadStatus", phone_number AS "phoneNumber", call.status,
                 answered_by AS "answeredBy", ended_reason AS "endedReason", evaluation,
                 evaluation_error AS "evaluationError",
                 EXISTS (SELECT 1 FROM leads WHERE main_lead_id = attempt.lead_id) AS "hasContacts", EXISTS (
                   SELECT 1 FROM call_attempts other WHERE other.lead_id = attempt.lead_id
                      AND other.state <> 'closed' AND other.id <> attempt.id) AS "isCalledAgain"`,
      [callIds],
    );
    for (const { status } of ended) this.metrics.decided(status);
    return ended;
  }

  private async markAllPlaced(callIds: number[]): Promise<void[]> {
    await this.attempts.query(
      `UPDATE call_attempts attempt SET state = 'placed'
         FROM (SELECT id FROM call_attempts WHERE call_id = ANY($1) AND state = 'requesting' ORDER BY id FOR UPDATE) one
        WHERE attempt.id = one.id`,
      [callIds],
    );
    return callIds.map(() => undefined);
  }

  private async closeAttempts(callIds: number[]): Promise<(ClosedAttempt | null)[]> {
    const [rows]: [(ClosedAttempt & { callId: number })[], number] = await this.attempts.query(
      `UPDATE call_attempts attempt SET state = 'closed', closed_at = now()
         FROM (SELECT id, state FROM call_attempts WHERE call_id = ANY($1) AND state <> 'closed' ORDER BY id FOR UPDATE) before
        WHERE attempt.id = before.id
       RETURNING call_id AS "callId", attempt.account_id AS "accountId", attempt.campaign_id AS "campaignId",
                 before.state = 'placed' AS "wasPlaced"`,
      [callIds],
    );
    const closed = new Map(rows.map(({ callId, ...attempt }) => [callId, attempt]));
    return callIds.map((id) => {
      const attempt = closed.get(id) ?? null;
      // Of callers for one call, one has closed it.
      closed.delete(id);
      return attempt;
    });
  }
}
