import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { currentKeyId } from '#src/common/work-context.js';
import { isAllowedDestination } from '#src/common/phone/destinations.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { SpendLimitsService } from '../accounts/spend-limits.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { OutboundCallsService, type OpenedCall } from './outbound-calls.service.js';
import { CallRefused, InvalidNumberFormat } from './dialer.errors.js';
import { variablesOf, type MakeCallDto } from './dto/make-call.dto.js';
import { type MakeCallResponse } from './dto/make-call.response.js';

/** Places a single call on request. Rules are checked in the order of the contract's table. */
@Injectable()
export class MakeCallService {
  constructor(
    private readonly audit: AuditService,
    private readonly accounts: AccountsService,
    private readonly spendLimits: SpendLimitsService,
    private readonly assistants: AssistantsService,
    private readonly suppressions: SuppressionsService,
    private readonly calls: CallsRepository,
    private readonly outboundCalls: OutboundCallsService,
  ) {}

  /** When a keyed request is repeated after its process died, it finds the call that was made: no second call. */
  async makeCall(userId: number, dto: MakeCallDto, requestId: string | null): Promise<MakeCallResponse> {
    const existing = requestId === null ? null : await this.calls.findByRequest(requestId);
    if (existing) return toInitiatedResponse(existing.id);
    const to = await this.accounts.formatNumber(userId, dto.phone_number);
    if (to === null) throw new InvalidNumberFormat();
    const assistant = await this.assistants.assistantView(userId, dto.assistant_id);
    if (!assistant) throw new AssistantNotFound();
    const from = await this.assistants.callerId(assistant);
    const wanted = { assistant, from, to, variables: variablesOf(dto), requestId };
    const { call, delayMs: inMs } = await this.spendLimits.noteRefusals(() =>
      this.audit.change(async (tx, record) => {
        const opened = await this.openCall(tx, wanted);
        const details = { assistant_id: assistant.id, type: 'outbound' };
        record({ accountId: userId, action: 'call.create', resourceId: opened.call.id, details });
        return opened;
      }),
    );
    // The record is committed: if this process dies now, call reconciliation continues.
    void sleep(inMs).then(() => this.outboundCalls.placeCall(call.id, call.request));
    return toInitiatedResponse(call.id);
  }

  /** Only `tx` inside: requests that each hold one connection and wait for a second one block each other. */
  private async openCall(tx: EntityManager, { requestId, ...wanted }: CallRequest): Promise<ScheduledCall> {
    const { assistant, from, to } = wanted;
    const userId = assistant.accountId;
    await lockAccount(tx, userId);
    const account = await this.accounts.accountView(userId, tx);
    const apiKeyId = currentKeyId();
    const budget = await this.spendLimits.budgetOf(tx, account, apiKeyId, assistant.maxCallDuration);
    if (budget === null) throw new CallRefused('balance');
    if (await this.suppressions.isSuppressed(tx, userId, to)) throw new CallRefused('suppressed');
    if (assistant.type !== 'outbound') throw new CallRefused('notOutbound');
    if (assistant.status !== 'active') throw new CallRefused('notActive');
    if (from === null) throw new CallRefused('noNumber');
    if (!isAllowedDestination(to, account.allowedCountries)) throw new CallRefused('destination');
    if (await this.outboundCalls.isNumberInCall(tx, userId, to)) throw new CallRefused('busy');
    if (await this.outboundCalls.isCalledTooOften(tx, userId, to)) throw new CallRefused('tooOften');
    const running = await this.calls.countRunning(tx, userId);
    if (running >= account.plan.maxParallelCalls) throw new CallRefused('parallel');
    const { inMs } = await this.outboundCalls.reserveRateSlot(tx);
    const call = { ...wanted, from, apiKeyId, campaign: null, lead: null, budget, requestId };
    return { call: await this.outboundCalls.createCall(tx, call), delayMs: inMs };
  }
}

interface ScheduledCall {
  call: OpenedCall;
  /** Milliseconds until the carrier's rate allows it. */
  delayMs: number;
}

interface CallRequest {
  assistant: AssistantView;
  from: string | null;
  to: string;
  variables: Record<string, unknown>;
  requestId: string | null;
}

const toInitiatedResponse = (callId: number): MakeCallResponse => ({
  message: 'Call initiated successfully',
  call_id: callId,
  status: 'initiated',
});
