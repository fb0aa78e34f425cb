import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository, type EntityManager } from 'typeorm';
import type { CallEventPayload } from '../calls/call-events.js';
import type { CallView } from '../calls/call.view.js';
import { ErasedNumbersService } from '../suppressions/erased-numbers.service.js';
import { DialMetricsService } from './dial-metrics.service.js';
import { CallAttempt } from './entities/call-attempt.entity.js';

export type NewAttempt = Pick<
  CallAttempt,
  'accountId' | 'callId' | 'campaignId' | 'leadId' | 'contactId' | 'leadStatus' | 'phoneNumber'
> & {
  /** How long the slot is leased for. */
  slotSeconds: number;
};

export interface NumberCallState {
  isSuppressed: boolean;
  isInCall: boolean;
  /** Null: it may be called once more. */
  limitedUntil: Date | null;
}

/** An attempt with its call's outcome. */
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

/** The work for an ended call. */
export interface PendingOutcome {
  callId: number;
  /** The lead of a campaign whose call's outcome is not recorded. */
  leadId: number | null;
  /** A campaign of its account may wait for a slot or for the balance. */
  isAwaited: boolean;
}

/**
 * Attempts; those that are live occupy a slot. The account's lock is held to add one. Their state follows the call by
 * a trigger.
 */
@Injectable()
export class CallAttemptsRepository {
  constructor(
    @InjectRepository(CallAttempt) private readonly attempts: Repository<CallAttempt>,
    private readonly metrics: DialMetricsService,
    private readonly erased: ErasedNumbersService,
  ) {}

  /** In the transaction that has written their calls. */
  async insertAttempts(tx: EntityManager, attempts: readonly NewAttempt[]): Promise<void> {
    await tx.query(
      `INSERT INTO call_attempts (account_id, call_id, campaign_id, lead_id, contact_id, lead_status, phone_number,
                                  state, slot_until)
       SELECT "accountId", "callId", "campaignId", "leadId", "contactId", "leadStatus", "phoneNumber",
              'requesting', now() + make_interval(secs => "slotSeconds")
         FROM jsonb_to_recordset($1) AS given ("accountId" int, "callId" int, "campaignId" int, "leadId" int,
                "contactId" int, "leadStatus" text, "phoneNumber" text, "slotSeconds" float)
        ORDER BY "callId"`,
      [JSON.stringify(attempts)],
    );
  }

  /**
   * The states of numbers of leads, in their order and in one statement: whether they may not be called, are in a call
   * now, as their lead is too, and until when they were called as often as `limits` allow.
   */
  async findNumberStates(
    tx: EntityManager,
    numbers: readonly { accountId: number; leadId: number; phoneNumber: string }[],
    limits: { perDay: number; per30Days: number },
  ): Promise<NumberCallState[]> {
    const lastBut = (count: string, interval: string): string =>
      `(SELECT created_at + interval '${interval}' FROM outbound_calls
         WHERE account_id = asked.account AND client_phone_number = number AND carrier_sid IS NOT NULL
           AND created_at > now() - interval '${interval}'
         ORDER BY created_at DESC OFFSET ${count} - 1 LIMIT 1)`;
    const states: (NumberCallState & { mayBeErased: boolean })[] = await tx.query(
      `SELECT EXISTS (
                SELECT 1 FROM suppressed_numbers WHERE account_id = asked.account AND phone_number = number
              ) AS "isSuppressed",
              EXISTS (SELECT 1 FROM hashed_suppressions WHERE account_id = asked.account) AS "mayBeErased",
              EXISTS (SELECT 1 FROM call_attempts
                       WHERE account_id = asked.account AND phone_number = number AND state <> 'closed')
                OR EXISTS (SELECT 1 FROM call_attempts
                            WHERE call_attempts.lead_id = asked.lead_id AND state <> 'closed') AS "isInCall",
              greatest(${lastBut('$4', '24 hours')}, ${lastBut('$5', '30 days')}) AS "limitedUntil"
         FROM unnest($1::int[], $2::int[], $3::text[]) WITH ORDINALITY AS asked (account, lead_id, number, position)
        ORDER BY position`,
      [
        numbers.map(({ accountId }) => accountId),
        numbers.map(({ leadId }) => leadId),
        numbers.map(({ phoneNumber }) => phoneNumber),
        limits.perDay,
        limits.per30Days,
      ],
    );
    const erased = await this.findErased(
      tx,
      numbers.filter((_number, n) => states[n]?.mayBeErased),
    );
    return states.map(({ mayBeErased: _, ...state }, n) => {
      const isErased = erased.get(numbers[n]?.accountId ?? 0)?.has(numbers[n]?.phoneNumber ?? '') ?? false;
      return { ...state, isSuppressed: state.isSuppressed || isErased };
    });
  }

  /** By account; few accounts have suppressions of which only the hash is kept. */
  private async findErased(
    tx: EntityManager,
    numbers: readonly { accountId: number; phoneNumber: string }[],
  ): Promise<Map<number, ReadonlySet<string>>> {
    const found = new Map<number, ReadonlySet<string>>();
    for (const accountId of new Set(numbers.map((one) => one.accountId))) {
      const own = numbers.filter((one) => one.accountId === accountId);
      const written = own.map(({ phoneNumber }) => phoneNumber);
      found.set(accountId, await this.erased.findErased(tx, accountId, written));
    }
    return found;
  }

  isNumberInCall(tx: EntityManager, accountId: number, phoneNumber: string): Promise<boolean> {
    return tx.existsBy(CallAttempt, { accountId, phoneNumber, state: Not('closed') });
  }

  /** Whether a call to the lead, or to the number, is running. */
  async isLeadInCall(
    tx: EntityManager,
    accountId: number,
    leadId: number,
    phoneNumber: string,
  ): Promise<boolean> {
    return (
      (await this.isNumberInCall(tx, accountId, phoneNumber)) ||
      tx.existsBy(CallAttempt, { leadId, state: Not('closed') })
    );
  }

  /** The outcomes of earlier calls to the lead decide nothing: a later call has been placed since. */
  async passOverEarlier(tx: EntityManager, leadId: number, callId: number): Promise<void> {
    await tx.query(
      `UPDATE call_attempts attempt SET outcome = result.status
         FROM call_results result
        WHERE attempt.lead_id = $1 AND attempt.call_id <> $2 AND outcome IS NULL
          AND result.call_id = attempt.call_id`,
      [leadId, callId],
    );
  }

  /** The carrier took a call. */
  countPlaced(): void {
    this.metrics.countPlaced();
  }

  /** Null: the call was not made for a campaign. */
  async findCampaignId(callId: number): Promise<number | null> {
    return (await this.attempts.findOneBy({ callId }))?.campaignId ?? null;
  }

  /** Calls that ended for which there is something to do; most are left out. */
  findPendingOutcomes(calls: readonly CallEventPayload[]): Promise<PendingOutcome[]> {
    return this.attempts.query(
      `SELECT call_id AS "callId", lead_id AS "leadId", is_awaited AS "isAwaited"
         FROM unnest($1::int[], $2::int[]) AS given (call_id, account_id)
         LEFT JOIN LATERAL (
           SELECT lead_id FROM call_attempts attempt
            WHERE attempt.call_id = given.call_id AND outcome IS NULL AND campaign_id IS NOT NULL) AS open ON true,
         LATERAL (SELECT EXISTS (
           SELECT 1 FROM running_campaigns WHERE account_id = given.account_id AND waits_for_slot
         ) AS is_awaited) AS awaited
        WHERE lead_id IS NOT NULL OR is_awaited`,
      [calls.map(({ callId }) => callId), calls.map(({ accountId }) => accountId)],
    );
  }

  /**
   * Records the outcomes of calls, each once; those that were recorded before are left out. The caller has locked the
   * leads.
   */
  async recordOutcomes(tx: EntityManager, callIds: readonly number[]): Promise<EndedAttempt[]> {
    const [ended]: [EndedAttempt[], number] = await tx.query(
      `UPDATE call_attempts attempt SET outcome = call.status
         FROM (SELECT open.id, result.status, answered_by, ended_reason, evaluation, evaluation_error
                 FROM call_attempts open JOIN call_results result ON result.call_id = open.call_id
                WHERE open.call_id = ANY($1) AND outcome IS NULL AND open.lead_id IS NOT NULL
                ORDER BY open.account_id, open.id FOR UPDATE OF open) call
        WHERE attempt.id = call.id
       RETURNING call_id AS "callId", account_id AS "accountId", lead_id AS "leadId", contact_id AS "contactId",
                 lead_status AS "leadStatus", phone_number AS "phoneNumber", call.status,
                 answered_by AS "answeredBy", ended_reason AS "endedReason", evaluation,
                 evaluation_error AS "evaluationError",
                 EXISTS (SELECT 1 FROM lead_contacts WHERE main_lead_id = attempt.lead_id) AS "hasContacts", EXISTS (
                   SELECT 1 FROM call_attempts other WHERE other.lead_id = attempt.lead_id
                      AND other.state <> 'closed' AND other.id <> attempt.id) AS "isCalledAgain"`,
      [callIds],
    );
    for (const { status } of ended) this.metrics.countOutcome(status);
    return ended;
  }
}
