import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository, type EntityManager } from 'typeorm';
import { CallAttempt } from './entities/call-attempt.entity.js';

export type NewAttempt = Pick<
  CallAttempt,
  'accountId' | 'callId' | 'campaignId' | 'leadId' | 'contactId' | 'phoneNumber' | 'slotUntil'
>;

export interface LiveAttempts {
  account: number;
  campaign: number;
}

/** The rows behind slots: who is being dialled right now. Writers hold the account's lock. */
@Injectable()
export class CallAttemptsRepository {
  constructor(@InjectRepository(CallAttempt) private readonly attempts: Repository<CallAttempt>) {}

  async insertAttempt(tx: EntityManager, attempt: NewAttempt): Promise<void> {
    await tx.insert(CallAttempt, { ...attempt, state: 'requesting' });
  }

  /** Slots in use, of the account and of one of its campaigns. */
  async countLiveAttempts(
    tx: EntityManager,
    accountId: number,
    campaignId: number | null,
  ): Promise<LiveAttempts> {
    const [row]: { account: number; campaign: number }[] = await tx.query(
      `SELECT count(*)::int AS account, (count(*) FILTER (WHERE campaign_id = $2))::int AS campaign
         FROM call_attempts WHERE account_id = $1 AND state <> 'closed' AND slot_until > now()`,
      [accountId, campaignId],
    );
    return row ?? { account: 0, campaign: 0 };
  }

  isNumberInCall(tx: EntityManager, accountId: number, phoneNumber: string): Promise<boolean> {
    return tx.existsBy(CallAttempt, { accountId, phoneNumber, state: Not('closed') });
  }

  async markPlaced(callId: number): Promise<void> {
    await this.attempts.update({ callId, state: 'requesting' }, { state: 'placed' });
  }

  /** Frees the slot. @returns the attempt when this call of the method closed it. */
  async closeAttempt(callId: number): Promise<CallAttempt | null> {
    const { affected } = await this.attempts.update(
      { callId, state: Not('closed') },
      { state: 'closed', closedAt: new Date() },
    );
    return affected ? this.attempts.findOneBy({ callId }) : null;
  }

  /** Takes the decision on a lead once. Null: taken already, or the call was not made for a lead. */
  async recordOutcome(tx: EntityManager, callId: number, outcome: string): Promise<CallAttempt | null> {
    const { affected } = await tx.update(
      CallAttempt,
      { callId, outcome: IsNull(), leadId: Not(IsNull()) },
      { outcome },
    );
    return affected ? tx.findOneBy(CallAttempt, { callId }) : null;
  }
}
