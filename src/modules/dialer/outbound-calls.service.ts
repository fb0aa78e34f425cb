import type { CallBudget } from '../accounts/call-budget.js';
import type { NewCall } from '../calls/call.view.js';
import { evaluationPlanOf, type AssistantView } from '../assistants/assistant-view.js';
import { renderVoicemailMessage } from '../assistants/text-template.js';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TooManyRequests } from '#src/common/errors/api-error.js';
import { isSandboxNumber } from '#src/common/phone/phone.js';
import { isSandboxCarrier } from '#src/config/production-rules.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { type CarrierAdmission, CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import { CarrierRateService } from '../telephony/carrier-rate.service.js';
import { CarrierCalls, type PlaceCallRequest } from '../telephony/carrier-calls.js';
import { CarrierError } from '../telephony/carrier-error.js';
import { CallAttemptsRepository, type NewAttempt } from './call-attempts.repository.js';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import type { LeadStatus } from '../leads/lead.types.js';

/** The carrier's codes for numbers that cannot be dialled. */
const INVALID_NUMBER_CODES = new Set([21211, 21214, 21217, 13223, 13224]);
export const INVALID_NUMBER = 'invalid_number';
/** The carrier could not be reached or takes no calls for now; only of calls of a campaign. */
export const CARRIER_UNAVAILABLE = 'carrier_unavailable';
/** The carrier refuses this call, e.g. to this country or from this number. */
export const CARRIER_REJECTED = 'carrier_rejected';

const SLOT_GRACE_SECONDS = 60;
/** A time at which a call may be placed has become free by then. */
const RATE_RETRY_SECONDS = 1;
/** After this time a call has been answered or has ended, and the carrier has reported it. */
const CHECK_GRACE_SECONDS = 5;

interface OutboundCall {
  assistant: AssistantView;
  apiKeyId: number | null;
  campaign: { id: number; name: string } | null;
  leadId: number | null;
  from: string;
  to: string;
  variables: Record<string, unknown>;
  budget: CallBudget;
  requestId: string | null;
  ringTimeoutSeconds: number;
}

/** The record of a call that is about to be placed: the assistant's settings as they are now. */
export function toCallRecord({
  assistant,
  from,
  to,
  budget,
  ringTimeoutSeconds,
  ...call
}: OutboundCall): NewCall {
  return {
    ...call,
    accountId: assistant.accountId,
    assistant: { id: assistant.id, name: assistant.name },
    type: 'outbound',
    carrierSid: null,
    assistantPhoneNumber: from,
    clientPhoneNumber: to,
    variables: { ...assistant.variables, ...call.variables },
    pricePerMinuteMicros: budget.pricePerMinuteMicros,
    holdMicros: budget.holdMicros,
    maxDuration: budget.maxDurationSeconds,
    evaluationPlan: evaluationPlanOf(assistant),
    checkAt: new Date(Date.now() + (ringTimeoutSeconds + CHECK_GRACE_SECONDS) * 1000),
  };
}

/** A message has to wait for the beep. */
export const machineDetectionFor = (
  assistant: AssistantView,
  call: NewCall,
): PlaceCallRequest['machineDetection'] =>
  renderVoicemailMessage(assistant, call, new Date()) === null ? 'start' : 'message-end';

/** How long a call rings. @param installation in seconds, for assistants without a time of their own */
export const ringTimeoutOf = (
  { ringingTime }: Pick<AssistantView, 'ringingTime'>,
  installation: number,
): number => ringingTime ?? installation;

/** A slot is a lease: it expires even when the end of the call is never reported. */
export const callSlotSeconds = (ringTimeoutSeconds: number, maxDurationSeconds: number): number =>
  ringTimeoutSeconds + maxDurationSeconds + SLOT_GRACE_SECONDS;

export interface CallToOpen {
  assistant: AssistantView;
  /** The API key that starts it, or has started its campaign; null: none. */
  apiKeyId: number | null;
  campaign: { id: number; name: string } | null;
  lead: { id: number; contactId: number | null; status: LeadStatus } | null;
  from: string;
  to: string;
  variables: Record<string, unknown>;
  budget: CallBudget;
  requestId: string | null;
}

export interface OpenedCall {
  id: number;
  request: PlaceCallRequest;
}

/** Creates the record of an outbound call in the caller's transaction and, after the commit, places the call. */
@Injectable()
export class OutboundCallsService {
  private readonly logger = new Logger(OutboundCallsService.name);

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly carrier: CarrierCalls,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly attempts: CallAttemptsRepository,
    private readonly breaker: CarrierBreakerService,
    private readonly rate: CarrierRateService,
  ) {}

  /** By the operator's settings. The sandbox's numbers are there to be called again and again. */
  async isCalledTooOften(tx: EntityManager, accountId: number, to: string): Promise<boolean> {
    const { carrier, calls } = this.settings;
    if (!calls.maxCallsIncludeMakeCall || (isSandboxCarrier(carrier) && isSandboxNumber(to))) return false;
    const { day, month } = await this.calls.countDialled(tx, accountId, to);
    return day >= calls.maxCallsPerDay || month >= calls.maxCallsPer30Days;
  }

  isNumberInCall(tx: EntityManager, accountId: number, to: string): Promise<boolean> {
    return this.attempts.isNumberInCall(tx, accountId, to);
  }

  /** Whether a campaign may open a call in this transaction. */
  admitCall(tx: EntityManager): Promise<CarrierAdmission> {
    return this.breaker.admitCall(tx);
  }

  /** The campaign that may open a call has none to open. */
  returnProbe(tx: EntityManager): Promise<void> {
    return this.breaker.returnProbe(tx);
  }

  /** How many of the wanted calls a campaign may place now by the carrier's rate. Unused capacity must be returned. */
  takeRateCapacity(tx: EntityManager, wanted: number): Promise<number> {
    return this.rate.takeCalls(tx, wanted);
  }

  returnRateCapacity(tx: EntityManager, count: number): Promise<void> {
    return this.rate.returnCalls(tx, count);
  }

  /** For the call of one request. @throws TooManyRequests */
  async reserveRateSlot(tx: EntityManager): Promise<{ inMs: number }> {
    const reserved = await this.rate.reserve(tx);
    if (reserved === 'late') throw new TooManyRequests(RATE_RETRY_SECONDS);
    return reserved;
  }

  /** Writes call and attempt. @returns the request for the carrier, to be sent after the commit */
  async createCall(tx: EntityManager, call: CallToOpen): Promise<OpenedCall> {
    const [opened] = await this.createCalls(tx, [call]);
    if (!opened) throw new Error('no call was created');
    return opened;
  }

  /** Writes calls and attempts. @returns the requests for the carrier, to be sent after the commit */
  async createCalls(tx: EntityManager, calls: readonly CallToOpen[]): Promise<OpenedCall[]> {
    const records = calls.map((call) =>
      toCallRecord({
        ...call,
        leadId: call.lead?.id ?? null,
        ringTimeoutSeconds: ringTimeoutOf(call.assistant, this.settings.calls.ringTimeoutSeconds),
      }),
    );
    const inserted = await this.calls.insertCalls(tx, records);
    const written = calls.flatMap((call, index) => {
      const [record, row] = [records[index], inserted[index]];
      return record && row ? { call, record, ...row } : [];
    });
    await this.attempts.insertAttempts(
      tx,
      written.map(({ call, id }) => this.toAttempt(call, id)),
    );
    return written.map(({ call, record, id, token }) => ({
      id,
      request: this.toRequest(call, record, token),
    }));
  }

  private toAttempt({ assistant, campaign, lead, to, budget }: CallToOpen, callId: number): NewAttempt {
    const ringTimeoutSeconds = ringTimeoutOf(assistant, this.settings.calls.ringTimeoutSeconds);
    return {
      accountId: assistant.accountId,
      callId,
      campaignId: campaign?.id ?? null,
      leadId: lead?.id ?? null,
      contactId: lead?.contactId ?? null,
      leadStatus: lead?.status ?? null,
      phoneNumber: to,
      slotSeconds: callSlotSeconds(ringTimeoutSeconds, budget.maxDurationSeconds),
    };
  }

  private toRequest(
    { assistant, from, to, budget }: CallToOpen,
    record: NewCall,
    token: string,
  ): PlaceCallRequest {
    return {
      from,
      to,
      token,
      ringTimeoutSeconds: ringTimeoutOf(assistant, this.settings.calls.ringTimeoutSeconds),
      maxDurationSeconds: budget.carrierLimitSeconds,
      machineDetection: machineDetectionFor(assistant, record),
    };
  }

  /**
   * Never throws. Refused: the call ends as `failed`. No answer: the call may have been placed, so the request is not
   * repeated; callbacks or call reconciliation report the outcome.
   */
  async placeCall(callId: number, request: PlaceCallRequest): Promise<void> {
    try {
      const { sid } = await this.carrier.placeCall(request);
      await this.callState.markPlaced(callId, sid);
      this.attempts.countPlaced();
      await this.breaker.recordSuccess();
    } catch (error) {
      await this.recordFailure(callId, error).catch(() =>
        this.logger.warn(`Call ${callId} is left to the reconciliation`),
      );
    }
  }

  private async recordFailure(callId: number, error: unknown): Promise<void> {
    if (!(error instanceof CarrierError) || error.failure === 'unknown') {
      await this.breaker.recordFailure(null);
      return this.logger.warn(`It is not known whether call ${callId} was placed; the carrier will be asked`);
    }
    if (INVALID_NUMBER_CODES.has(error.code ?? 0)) {
      await this.breaker.recordSuccess();
      return this.callState.markFailed(callId, INVALID_NUMBER);
    }
    if (error.retryable) await this.breaker.recordFailure(error.retryAfterMs);
    const isOfCampaign = error.retryable && (await this.attempts.findCampaignId(callId)) !== null;
    await this.callState.markFailed(callId, isOfCampaign ? CARRIER_UNAVAILABLE : CARRIER_REJECTED);
  }
}
