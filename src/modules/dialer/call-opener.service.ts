import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { CallBudget } from '../accounts/call-budget.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { CallRecords } from '../calls/call-records.service.js';
import type { PlaceCall } from '../telephony/carrier.js';
import { CallAttempts } from './call-attempts.service.js';
import { outboundCall, slotSeconds } from './outbound-call.js';

export interface CallToOpen {
  assistant: AssistantView;
  campaign: { id: number; name: string } | null;
  lead: { id: number; contactId: number | null } | null;
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

/** Writes call and attempt, and says what to ask the carrier for once they are committed. */
@Injectable()
export class CallOpener {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly records: CallRecords,
    private readonly attempts: CallAttempts,
  ) {}

  async open(tx: EntityManager, call: CallToOpen): Promise<OpenedCall> {
    const { assistant, campaign, lead, from, to, budget } = call;
    const { ringTimeoutSeconds } = this.settings.calls;
    const { id, token } = await this.records.open(
      tx,
      outboundCall({ ...call, leadId: lead?.id ?? null, ringTimeoutSeconds }),
    );
    await this.attempts.open(tx, {
      accountId: assistant.accountId,
      callId: id,
      campaignId: campaign?.id ?? null,
      leadId: lead?.id ?? null,
      contactId: lead?.contactId ?? null,
      phoneNumber: to,
      slotSeconds: slotSeconds(ringTimeoutSeconds, budget.maxDurationSeconds),
    });
    const maxDurationSeconds = budget.carrierLimitSeconds;
    return { id, request: { from, to, token, ringTimeoutSeconds, maxDurationSeconds, detectMachine: true } };
  }
}
