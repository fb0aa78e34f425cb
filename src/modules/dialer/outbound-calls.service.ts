import type { CallBudget } from '../accounts/call-budget.js';
import type { OpenCall } from '../calls/call.view.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { voicemailMessage } from '../assistants/text-template.js';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isSandboxNumber } from '#src/common/phone/phone.js';
import { isSandboxCarrier } from '#src/config/production-rules.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { type Admission, CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import { type PlaceCall, Carrier, CarrierError } from '../telephony/carrier.js';
import { CallAttemptsRepository } from './call-attempts.repository.js';
import { CallStateService } from '../calls/call-state.service.js';
import type { LeadStatus } from '../leads/lead.types.js';

/** The carrier's codes for numbers that cannot be dialled. */
const INVALID_NUMBER_CODES = new Set([21211, 21214, 21217, 13223, 13224]);
export const INVALID_NUMBER = 'invalid_number';
/** The carrier could not be reached or takes no calls for now; only of calls of a campaign. */
export const CARRIER_UNAVAILABLE = 'carrier_unavailable';
/** The carrier refuses this call, e.g. to this country or from this number. */
export const CARRIER_REJECTED = 'carrier_rejected';

const SLOT_GRACE_SECONDS = 60;
/** After this time a call has been answered or has ended, and the carrier has reported it. */
const CHECK_GRACE_SECONDS = 5;

interface OutboundCall {
  assistant: AssistantView;
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
export function outboundCall({
  assistant,
  from,
  to,
  budget,
  ringTimeoutSeconds,
  ...call
}: OutboundCall): OpenCall {
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
    evaluationPlan: assistant.postCallEvaluation
      ? { model: assistant.llmModel, schema: assistant.postCallSchema }
      : null,
    checkAt: new Date(Date.now() + (ringTimeoutSeconds + CHECK_GRACE_SECONDS) * 1000),
  };
}

/** A message has to wait for the beep. */
export const machineDetection = (assistant: AssistantView, call: OpenCall): PlaceCall['machineDetection'] =>
  voicemailMessage(assistant, call, new Date()) === null ? 'start' : 'message-end';

/** A slot is a lease: it expires even when the end of the call is never reported. */
/** How long a call rings. @param installation in seconds, for assistants without a time of their own */
export const ringSeconds = (
  { ringingTime }: Pick<AssistantView, 'ringingTime'>,
  installation: number,
): number => ringingTime ?? installation;

export const slotSeconds = (ringTimeoutSeconds: number, maxDurationSeconds: number): number =>
  ringTimeoutSeconds + maxDurationSeconds + SLOT_GRACE_SECONDS;

export interface CallToOpen {
  assistant: AssistantView;
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
  request: PlaceCall;
}

/** Creates the record of an outbound call in the caller's transaction and, after the commit, places the call. */
@Injectable()
export class OutboundCallsService {
  private readonly logger = new Logger(OutboundCallsService.name);

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly carrier: Carrier,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly attempts: CallAttemptsRepository,
    private readonly breaker: CarrierBreakerService,
  ) {}

  /** By the operator's settings. The sandbox's numbers are there to be called again and again. */
  async isCalledTooOften(tx: EntityManager, accountId: number, to: string): Promise<boolean> {
    const { carrier, calls } = this.settings;
    if (!calls.maxCallsIncludeMakeCall || (isSandboxCarrier(carrier) && isSandboxNumber(to))) return false;
    const { day, month } = await this.calls.countDialled(tx, accountId, to);
    return day >= calls.maxCallsPerDay || month >= calls.maxCallsPer30Days;
  }

  /** Whether a campaign may open a call in this transaction. */
  admitCall(tx: EntityManager): Promise<Admission> {
    return this.breaker.admit(tx);
  }

  /** The campaign that may open a call has none to open. */
  returnProbe(tx: EntityManager): Promise<void> {
    return this.breaker.returnProbe(tx);
  }

  /** Writes call and attempt. @returns the request for the carrier, to be sent after the commit */
  async createCall(tx: EntityManager, call: CallToOpen): Promise<OpenedCall> {
    const { assistant, campaign, lead, from, to, budget } = call;
    const ringTimeoutSeconds = ringSeconds(assistant, this.settings.calls.ringTimeoutSeconds);
    const record = outboundCall({ ...call, leadId: lead?.id ?? null, ringTimeoutSeconds });
    const { id, token } = await this.calls.insertCall(tx, record);
    await this.attempts.insertAttempt(tx, {
      accountId: assistant.accountId,
      callId: id,
      campaignId: campaign?.id ?? null,
      leadId: lead?.id ?? null,
      contactId: lead?.contactId ?? null,
      leadStatus: lead?.status ?? null,
      phoneNumber: to,
      slotSeconds: slotSeconds(ringTimeoutSeconds, budget.maxDurationSeconds),
    });
    const maxDurationSeconds = budget.carrierLimitSeconds;
    const request = { from, to, token, ringTimeoutSeconds, maxDurationSeconds };
    return { id, request: { ...request, machineDetection: machineDetection(assistant, record) } };
  }

  /**
   * Never throws. Refused: the call ends as `failed`. No answer: the call may have been placed, so the request is not
   * repeated; callbacks or call reconciliation tell the outcome.
   */
  async placeCall(callId: number, request: PlaceCall): Promise<void> {
    try {
      const { sid } = await this.carrier.placeCall(request);
      await this.callState.markPlaced(callId, sid);
      await this.attempts.markPlaced(callId);
      await this.breaker.succeeded();
    } catch (error) {
      await this.failed(callId, error).catch(() =>
        this.logger.warn(`Call ${callId} is left to the reconciliation`),
      );
    }
  }

  private async failed(callId: number, error: unknown): Promise<void> {
    if (!(error instanceof CarrierError) || error.failure === 'unknown') {
      await this.breaker.failed(null);
      return this.logger.warn(`It is not known whether call ${callId} was placed; the carrier will be asked`);
    }
    if (INVALID_NUMBER_CODES.has(error.code ?? 0)) {
      await this.breaker.succeeded();
      return this.callState.markFailed(callId, INVALID_NUMBER);
    }
    if (error.retryable) await this.breaker.failed(error.retryAfterMs);
    const isOfCampaign = error.retryable && (await this.attempts.campaignOf(callId)) !== null;
    await this.callState.markFailed(callId, isOfCampaign ? CARRIER_UNAVAILABLE : CARRIER_REJECTED);
  }
}
