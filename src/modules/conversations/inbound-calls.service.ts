import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ServiceUnavailable } from '#src/common/errors/api-error.js';
import {
  KeyedConcurrencyLimiter,
  NoSlotError,
  type ReleaseSlot,
} from '#src/common/persistence/keyed-concurrency-limiter.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { callBudget, type CallBudget } from '../accounts/call-budget.js';
import { evaluationPlanOf, type AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { ANONYMOUS_CALLER, isPhoneNumber } from '../calls/client-number.js';
import type { CallView } from '../calls/call.view.js';
import { type CallerLead, LeadLookupService } from '../leads/lead-lookup.service.js';
import type { IncomingCall } from '../telephony/carrier-reports.js';
import { InboundCallWebhookService } from '../webhooks/inbound-call-webhook.service.js';

const CHECK_AFTER_MS = 60_000;
/** The carrier waits for at most 15 s, and repeats its request within them after a 503. */
const QUEUE_LIMITS = { maxWaiting: 500, maxWaitMs: 10_000 };

type IdentifiedCall = IncomingCall & { from: string };

/** Creates the records of inbound calls, accepted or refused. */
@Injectable()
export class InboundCallsService {
  /**
   * Callers of an account are counted one at a time. They wait here, in order of arrival: waiting for the lock in the
   * database would hold a connection each, and fail after the lock timeout although the queue advances.
   */
  private readonly accountQueues = new KeyedConcurrencyLimiter<number>(1, QUEUE_LIMITS);

  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly leads: LeadLookupService,
    private readonly webhook: InboundCallWebhookService,
  ) {}

  /**
   * @returns the call, ended if it was refused or if the request repeats that of an ended call; null: the number has no
   *   assistant, and nothing is stored
   * @throws ServiceUnavailable too many callers of the account wait, or for too long
   */
  async openInboundCall(incoming: IncomingCall): Promise<CallView | null> {
    const known = await this.calls.findBySid(incoming.sid);
    if (known) return known;
    const assistant = await this.assistants.findActiveInboundByNumber(incoming.to);
    if (!assistant) return null;
    const call = await this.recordCall(incoming, assistant);
    return call.endedAt === null ? this.mergeWebhookVariables(call, assistant) : call;
  }

  /**
   * For an end reported before the request for instructions: both orders leave the same record. Without the user's
   * inbound webhook, because the caller has hung up.
   */
  async recordEndedCall(incoming: IncomingCall): Promise<void> {
    const assistant = await this.assistants.findActiveInboundByNumber(incoming.to);
    if (assistant) await this.recordCall(incoming, assistant);
  }

  private async recordCall(incoming: IncomingCall, assistant: AssistantView): Promise<CallView> {
    const caller = incoming.from ?? ANONYMOUS_CALLER;
    const isKnown = isPhoneNumber(caller) && mayLookUpCaller(assistant, incoming);
    const lead = isKnown ? await this.leads.findOnlyLead(assistant.accountId, caller) : null;
    const releaseSlot = await this.waitForTurn(assistant.accountId);
    const id = await this.db
      .transaction((tx) => this.createCall(tx, { ...incoming, from: caller }, assistant, lead))
      .finally(releaseSlot);
    const call = await this.calls.findView(id);
    if (!call) throw new Error('A new inbound call was not found');
    return call;
  }

  private async waitForTurn(accountId: number): Promise<ReleaseSlot> {
    try {
      return await this.accountQueues.acquire(accountId);
    } catch (error) {
      throw error instanceof NoSlotError ? new ServiceUnavailable() : error;
    }
  }

  /** Merges the variables that the user's webhook returns for this caller. */
  private async mergeWebhookVariables(call: CallView, assistant: AssistantView): Promise<CallView> {
    const received = await this.webhook.requestVariables(call, assistant);
    if (Object.keys(received).length === 0) return call;
    const variables = { ...call.variables, ...received };
    await this.calls.setVariables(call.id, variables);
    return { ...call, variables };
  }

  /**
   * Creates a record for a refused call too, for the account's owner. Uses only `tx`: requests that wait for a second
   * connection could block each other.
   */
  private async createCall(
    tx: EntityManager,
    incoming: IdentifiedCall,
    assistant: AssistantView,
    lead: CallerLead | null,
  ): Promise<number> {
    await lockAccount(tx, assistant.accountId);
    // The carrier repeats its request when the response does not reach it.
    const known = await this.calls.findBySid(incoming.sid, tx);
    if (known) return known.id;
    const account = await this.accounts.accountView(assistant.accountId, tx);
    const budget = callBudget(account, assistant.maxCallDuration);
    const running = await this.calls.countRunning(tx, account.id);
    const isFull = running >= account.plan.maxParallelCalls;
    const { id } = await this.calls.insertCall(tx, {
      ...toNewCall(incoming, assistant, lead, isFull ? null : budget),
      pricePerMinuteMicros: account.plan.pricePerMinuteMicros,
    });
    if (budget === null) await this.callState.rejectCall(tx, id, 'balance');
    else if (isFull) await this.callState.rejectCall(tx, id, 'plan_limit');
    return id;
  }
}

/** A caller id can be forged: the caller would hear the lead's data in the prompt and the greeting. */
const mayLookUpCaller = ({ callerIdLookup }: AssistantView, { attestation }: IncomingCall): boolean =>
  callerIdLookup === 'always' || (callerIdLookup === 'attested' && attestation === 'A');

const toNewCall = (
  incoming: IdentifiedCall,
  assistant: AssistantView,
  lead: CallerLead | null,
  budget: CallBudget | null,
) => ({
  accountId: assistant.accountId,
  assistant: { id: assistant.id, name: assistant.name },
  // No campaign made the call, even if the caller is one of its leads.
  campaign: null,
  leadId: lead?.id ?? null,
  type: 'inbound' as const,
  carrierSid: incoming.sid,
  assistantPhoneNumber: incoming.to,
  clientPhoneNumber: incoming.from,
  variables: {
    ...assistant.variables,
    ...lead?.variables,
    // Last, and also without a report of the carrier, so that variables of a lead cannot override it.
    caller_attestation: incoming.attestation ?? assistant.variables['caller_attestation'],
  },
  holdMicros: budget?.holdMicros ?? 0n,
  maxDuration: budget?.maxDurationSeconds ?? assistant.maxCallDuration,
  evaluationPlan: evaluationPlanOf(assistant),
  checkAt: new Date(Date.now() + CHECK_AFTER_MS),
});
