import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallStateService } from '../calls/call-state.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import type { IncomingCall } from '../telephony/carrier-reports.js';
import { InboundCallWebhookService } from '../webhooks/inbound-call-webhook.service.js';

const CHECK_AFTER_MS = 60_000;

/** Somebody calls one of the numbers. */
@Injectable()
export class InboundCallsService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly records: CallsRepository,
    private readonly progress: CallStateService,
    private readonly webhook: InboundCallWebhookService,
  ) {}

  /** The call to hold, or null to turn it away: nobody answers this number, or the balance does not allow it. */
  async acceptInboundCall(incoming: IncomingCall): Promise<CallView | null> {
    const known = await this.records.bySid(incoming.sid);
    if (known) return known.endedAt ? null : known;
    const assistant = await this.assistants.activeInboundByNumber(incoming.to);
    if (!assistant) return null;
    const { balanceMicros, plan } = await this.accounts.view(assistant.accountId);
    const call = await this.open(incoming, assistant, plan.pricePerMinuteMicros);
    if (balanceMicros > 0n) return this.withVariables(call, assistant);
    await this.progress.markFailed(call.id, 'insufficient_balance');
    return null;
  }

  /** What the user's own system says about the caller is laid over the call's variables. */
  private async withVariables(call: CallView, assistant: AssistantView): Promise<CallView> {
    const { id, clientPhoneNumber: customerPhone, assistantPhoneNumber: assistantPhone } = call;
    const given = await this.webhook.variablesFor({ callId: id, assistant, customerPhone, assistantPhone });
    if (Object.keys(given).length === 0) return call;
    const variables = { ...call.variables, ...given };
    await this.records.setVariables(id, variables);
    return { ...call, variables };
  }

  private async open(incoming: IncomingCall, assistant: AssistantView, price: bigint): Promise<CallView> {
    const { id } = await this.db.transaction((tx) =>
      this.records.insertCall(tx, {
        accountId: assistant.accountId,
        assistant: { id: assistant.id, name: assistant.name },
        campaign: null,
        leadId: null,
        type: 'inbound',
        carrierSid: incoming.sid,
        assistantPhoneNumber: incoming.to,
        clientPhoneNumber: incoming.from,
        variables: assistant.variables,
        pricePerMinuteMicros: price,
        maxDuration: assistant.maxCallDuration,
        evaluationPlan: assistant.postCallEvaluation
          ? { model: assistant.llmModel, schema: assistant.postCallSchema }
          : null,
        checkAt: new Date(Date.now() + CHECK_AFTER_MS),
      }),
    );
    const call = await this.records.callView(id);
    if (!call) throw new Error('the call that was just opened is gone');
    return call;
  }
}
