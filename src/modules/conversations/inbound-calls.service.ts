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
/** The carrier waits for at most 15 s; it asks again within them when it is told that the service cannot answer. */
const LINE = { maxWaiting: 500, maxWaitMs: 10_000 };

type IdentifiedCall = IncomingCall & { from: string };

/** Creates the records of inbound calls, accepted or refused. */
@Injectable()
export class InboundCallsService {
  /**
   * Callers of an account are counted one by one anyway. They wait for it here, in order of arrival: in the database's
   * queue each would hold a connection, and be sent away after the time limit of a lock although the line moves.
   */
  private readonly lines = new KeyedConcurrencyLimiter<number>(1, LINE);

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
   * @returns the call, ended if it was refused or if the request repeats that of a call which is over; null: no
   *   assistant answers the number, and nothing is recorded
   * @throws ServiceUnavailable too many callers of the account wait, or for too long
   */
  async openInboundCall(incoming: IncomingCall): Promise<CallView | null> {
    const known = await this.calls.findBySid(incoming.sid);
    if (known) return known;
    const assistant = await this.assistants.findActiveInboundByNumber(incoming.to);
    if (!assistant) return null;
    const call = await this.record(incoming, assistant);
    return call.endedAt === null ? this.withVariables(call, assistant) : call;
  }

  /**
   * The carrier has reported the end of a call before it asks what to do with it: both orders leave the same record.
   * Nobody is there any more for whom the user's webhook would be asked.
   */
  async recordOverCall(incoming: IncomingCall): Promise<void> {
    const assistant = await this.assistants.findActiveInboundByNumber(incoming.to);
    if (assistant) await this.record(incoming, assistant);
  }

  private async record(incoming: IncomingCall, assistant: AssistantView): Promise<CallView> {
    const caller = incoming.from ?? ANONYMOUS_CALLER;
    const isKnown = isPhoneNumber(caller) && mayLookUp(assistant, incoming);
    const lead = isKnown ? await this.leads.onlyLeadWith(assistant.accountId, caller) : null;
    const leave = await this.inLine(assistant.accountId);
    const id = await this.db
      .transaction((tx) => this.open(tx, { ...incoming, from: caller }, assistant, lead))
      .finally(leave);
    const call = await this.calls.callView(id);
    if (!call) throw new Error('the call that was just opened is gone');
    return call;
  }

  private async inLine(accountId: number): Promise<ReleaseSlot> {
    try {
      return await this.lines.acquire(accountId);
    } catch (error) {
      throw error instanceof NoSlotError ? new ServiceUnavailable() : error;
    }
  }

  /** Merges the variables that the user's webhook returns for this caller. */
  private async withVariables(call: CallView, assistant: AssistantView): Promise<CallView> {
    const given = await this.webhook.variablesFor(call, assistant);
    if (Object.keys(given).length === 0) return call;
    const variables = { ...call.variables, ...given };
    await this.calls.setVariables(call.id, variables);
    return { ...call, variables };
  }

  /**
   * Creates a record for a refused call too, for the account's owner. Only `tx` inside: requests that each hold one
   * connection and wait for a second one block each other.
   */
  private async open(
    tx: EntityManager,
    incoming: IdentifiedCall,
    assistant: AssistantView,
    lead: CallerLead | null,
  ): Promise<number> {
    await lockAccount(tx, assistant.accountId);
    // The carrier repeats its request when the answer does not reach it.
    const known = await this.calls.findBySid(incoming.sid, tx);
    if (known) return known.id;
    const account = await this.accounts.accountView(assistant.accountId, tx);
    const budget = callBudget(account, assistant.maxCallDuration);
    const running = await this.calls.countRunning(tx, account.id);
    const isFull = running >= account.plan.maxParallelCalls;
    const { id } = await this.calls.insertCall(tx, {
      ...rowOf(incoming, assistant, lead, isFull ? null : budget),
      pricePerMinuteMicros: account.plan.pricePerMinuteMicros,
    });
    if (budget === null) await this.callState.reject(tx, id, 'balance');
    else if (isFull) await this.callState.reject(tx, id, 'plan_limit');
    return id;
  }
}

/** A number can be forged: whoever sends it would get what the prompt and the greeting say of the lead. */
const mayLookUp = ({ callerIdLookup }: AssistantView, { attestation }: IncomingCall): boolean =>
  callerIdLookup === 'always' || (callerIdLookup === 'attested' && attestation === 'A');

const rowOf = (
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
    // Last: no lead may pretend it.
    ...(incoming.attestation && { caller_attestation: incoming.attestation }),
  },
  holdMicros: budget?.holdMicros ?? 0n,
  maxDuration: budget?.maxDurationSeconds ?? assistant.maxCallDuration,
  evaluationPlan: evaluationPlanOf(assistant),
  checkAt: new Date(Date.now() + CHECK_AFTER_MS),
});
