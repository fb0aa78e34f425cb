import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Raw, Repository, type EntityManager } from 'typeorm';
import { CallsRepository } from '../calls/calls.repository.js';
import { CallAttempt } from './entities/call-attempt.entity.js';

export type NewAttempt = Pick<
  CallAttempt,
  'accountId' | 'callId' | 'campaignId' | 'leadId' | 'contactId' | 'leadStatus' | 'phoneNumber'
> & {
  /** How long the slot is leased for. */
  slotSeconds: number;
};

export interface LiveAttempts {
  account: number;
  campaign: number;
}

export interface ClosedAttempt {
  accountId: number;
  campaignId: number | null;
  /** The carrier took the call. */
  wasPlaced: boolean;
}

export interface EndedAttempt extends Pick<CallAttempt, 'contactId' | 'leadStatus' | 'phoneNumber'> {
  leadId: number;
  /** Another call to the lead is running. */
  isCalledAgain: boolean;
}

/** Attempts that are live now; each occupies a slot. Writers hold the account's lock. */
@Injectable()
export class CallAttemptsRepository {
  constructor(
    @InjectRepository(CallAttempt) private readonly attempts: Repository<CallAttempt>,
    private readonly calls: CallsRepository,
  ) {}

  async insertAttempt(tx: EntityManager, { slotSeconds, ...attempt }: NewAttempt): Promise<void> {
    const slotUntil = (): string => `now() + make_interval(secs => ${Number(slotSeconds)})`;
    await tx.insert(CallAttempt, { ...attempt, state: 'requesting', slotUntil });
  }

  /** Slots in use: of the account by calls in either direction, and of one of its campaigns. */
  async countLiveAttempts(
    tx: EntityManager,
    accountId: number,
    campaignId: number | null,
  ): Promise<LiveAttempts> {
    const account = await this.calls.countRunning(tx, accountId);
    if (campaignId === null) return { account, campaign: 0 };
    const slotUntil = Raw((column) => `${column} > now()`);
    const live = { accountId, campaignId, state: Not('closed' as const), slotUntil };
    return { account, campaign: await tx.countBy(CallAttempt, live) };
  }

  isNumberInCall(tx: EntityManager, accountId: number, phoneNumber: string): Promise<boolean> {
    return tx.existsBy(CallAttempt, { accountId, phoneNumber, state: Not('closed') });
  }

  async markPlaced(callId: number): Promise<void> {
    await this.attempts.update({ callId, state: 'requesting' }, { state: 'placed' });
  }

  /** Null: the call was not made for a campaign. */
  async campaignOf(callId: number): Promise<number | null> {
    return (await this.attempts.findOneBy({ callId }))?.campaignId ?? null;
  }

  /** Frees the slot. @returns the attempt when this call of the method closed it. */
  async closeAttempt(callId: number): Promise<ClosedAttempt | null> {
    const [[closed]]: [ClosedAttempt[], number] = await this.attempts.query(
      `UPDATE call_attempts attempt SET state = 'closed', closed_at = now()
         FROM (SELECT id, state FROM call_attempts WHERE call_id = $1 AND state <> 'closed' FOR UPDATE) before
        WHERE attempt.id = before.id
       RETURNING attempt.account_id AS "accountId", attempt.campaign_id AS "campaignId",
                 before.state = 'placed' AS "wasPlaced"`,
      [callId],
    );
    return closed ?? null;
  }

  /** Records the outcome once. Null: recorded before, or the call was not made for a lead. */
  async recordOutcome(tx: EntityManager, callId: number, outcome: string): Promise<EndedAttempt | null> {
    const [[ended]]: [EndedAttempt[], number] = await tx.query(
      `UPDATE call_attempts attempt SET outcome = $2
        WHERE call_id = $1 AND outcome IS NULL AND lead_id IS NOT NULL
       RETURNING lead_id AS "leadId", contact_id AS "contactId", lead_status AS "leadStatus",
                 phone_number AS "phoneNumber", EXISTS (
                   SELECT 1 FROM call_attempts other WHERE other.lead_id = attempt.lead_id
                      AND other.state <> 'closed' AND other.id <> attempt.id) AS "isCalledAgain"`,
      [callId, outcome],
    );
    return ended ?? null;
  }
}
