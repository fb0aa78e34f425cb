import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service.js';
import { CallsRepository, type InsertedCall } from '../calls/calls.repository.js';
import type { NewCall } from '../calls/call.view.js';
import { LostCallsService } from '../calls/states/lost-calls.service.js';
import { LeadClaimsRepository } from '../leads/lead-claims.repository.js';
import type { CarrierCall } from '../telephony/carrier-calls.js';
import { CallAttemptsRepository, type NewAttempt } from './call-attempts.repository.js';
import { LostCallLeadsService, type CallPurpose } from './lost-call-leads.service.js';
import { callSlotSeconds, toCallRecord } from './outbound-calls.service.js';

/**
 * What becomes of a call that the carrier has and the database has not. `recorded`: it has a record, and its lead
 * waits for the outcome. `unknown_number`: it was made from a number of no account. `no_lead`: nobody waits for a call
 * at the number that it was made to. `in_call`: another call to it is running.
 */
export type LostCallOutcome = 'recorded' | 'unknown_number' | 'no_lead' | 'in_call';

/**
 * Makes the records of calls that campaigns have placed and a restored database has lost: their leads are not called
 * again because of the restore, and they are charged once. The gate is closed meanwhile, so nothing else dials.
 */
@Injectable()
export class LostCallRecordsService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly leads: LostCallLeadsService,
    private readonly claims: LeadClaimsRepository,
    private readonly calls: CallsRepository,
    private readonly attempts: CallAttemptsRepository,
    private readonly lostCalls: LostCallsService,
  ) {}

  /** For one call after the other, oldest first: the newest one to a lead decides about it. */
  async recordCall(call: CarrierCall): Promise<LostCallOutcome> {
    const purpose = await this.leads.findPurpose(call);
    if (typeof purpose === 'string') return purpose;
    const inserted = await this.db.transaction((tx) => this.insertCall(tx, call, purpose));
    if (inserted === null) return 'in_call';
    await this.lostCalls.applyState(inserted.token, call);
    return 'recorded';
  }

  private async insertCall(
    tx: EntityManager,
    call: CarrierCall,
    purpose: CallPurpose,
  ): Promise<InsertedCall | null> {
    const { accountId, lead } = purpose;
    const account = (await this.accounts.lockAccountViews(tx, [accountId], 'wait')).get(accountId);
    if (!account || (await this.attempts.isLeadInCall(tx, accountId, lead.id, call.to))) return null;
    const record = toLostRecord(call, purpose, account.plan.pricePerMinuteMicros);
    const inserted = await this.calls.insertCall(tx, record);
    await this.lostCalls.markNotEvaluated(tx, inserted.id);
    await this.attempts.insertAttempts(tx, [toLostAttempt(call, purpose, inserted.id)]);
    await this.attempts.passOverEarlier(tx, lead.id, inserted.id);
    await this.claims.markProcessing(tx, new Map([[lead.id, lead.dialledId]]));
    return inserted;
  }
}

/** It holds no part of the balance: its price is known when its end is applied. */
function toLostRecord(
  { sid, from, to, createdAt }: CarrierCall,
  { assistant, campaign, lead }: CallPurpose,
  pricePerMinuteMicros: bigint,
): NewCall {
  const limit = assistant.maxCallDuration;
  const record = toCallRecord({
    assistant,
    campaign: { id: campaign.id, name: campaign.name },
    apiKeyId: campaign.startedByKeyId,
    leadId: lead.id,
    from,
    to,
    variables: lead.variables,
    budget: { pricePerMinuteMicros, holdMicros: 0n, maxDurationSeconds: limit, carrierLimitSeconds: limit },
    requestId: null,
    ringTimeoutSeconds: 0,
  });
  return { ...record, carrierSid: sid, createdAt };
}

const toLostAttempt = (
  { to }: CarrierCall,
  { accountId, assistant, campaign, lead }: CallPurpose,
  callId: number,
): NewAttempt => ({
  accountId,
  callId,
  campaignId: campaign.id,
  leadId: lead.id,
  contactId: lead.dialledId === lead.id ? null : lead.dialledId,
  leadStatus: lead.status,
  phoneNumber: to,
  slotSeconds: callSlotSeconds(0, assistant.maxCallDuration),
});
