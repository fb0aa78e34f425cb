import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallStateService } from '../calls/call-state.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import { Carrier } from '../telephony/carrier.js';
import { CarrierGatewayService } from '../telephony/carrier-gateway.service.js';
import type { AnswerPlan, CallHandler, CallReport, IncomingCall } from '../telephony/carrier-reports.js';
import type { CallSession } from '../telephony/call-session.js';
import { planConversation, type ConversationPlan } from './conversation-plan.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { LiveConversationsService } from './live-conversations.service.js';
import { VoicemailService } from './voicemail.service.js';

const OVER: AnswerPlan = { kind: 'hangup' };

/** Handles the carrier's requests for instructions, its reports, and call sessions. */
@Injectable()
export class CallConversationsService implements CallHandler, OnModuleInit {
  private readonly logger = new Logger(CallConversationsService.name);

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly gateway: CarrierGatewayService,
    private readonly carrier: Carrier,
    private readonly assistants: AssistantsService,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly live: LiveConversationsService,
    private readonly inbound: InboundCallsService,
    private readonly voicemail: VoicemailService,
  ) {}

  onModuleInit(): void {
    this.gateway.useCalls(this);
  }

  async answer(token: string, sid: string, resumed: boolean): Promise<AnswerPlan> {
    const call = await this.calls.byToken(token);
    addToLogContext({ callId: call?.id });
    // A conversation that has ended does not resume when its socket closes.
    if (!call || call.endedAt || call.endedBy) return OVER;
    await this.callState.applyReport(call.id, { sid, status: 'in-progress' });
    return this.converseWith(call, resumed);
  }

  async incoming(incoming: IncomingCall): Promise<AnswerPlan> {
    const call = await this.inbound.acceptInboundCall(incoming);
    if (call === 'busy' || call === 'rejected') return { kind: 'reject', busy: call === 'busy' };
    addToLogContext({ callId: call.id });
    await this.callState.applyReport(call.id, { sid: incoming.sid, status: 'in-progress' });
    return this.converseWith(call, false);
  }

  async report(report: CallReport): Promise<void> {
    const call =
      report.token === null ? await this.calls.bySid(report.sid) : await this.calls.byToken(report.token);
    if (!call) return this.logger.warn('The carrier reported a call that nobody knows');
    addToLogContext({ callId: call.id });
    await this.callState.applyReport(call.id, report);
    if (report.answeredBy === 'machine') await this.voicemail.onMachineDetected(call);
  }

  async expects(token: string): Promise<boolean> {
    const call = await this.calls.byToken(token);
    return call !== null && call.endedAt === null;
  }

  async converse(token: string, session: CallSession): Promise<void> {
    const call = await this.calls.byToken(token);
    addToLogContext({ callId: call?.id });
    const plan = call && (await this.plan(call));
    if (!call || !plan) return session.end('unknown');
    await this.live.runConversation(call, plan.assistant, plan.settings, session);
  }

  private async converseWith(call: CallView, resumed: boolean): Promise<AnswerPlan> {
    const plan = await this.plan(call);
    if (!plan) return OVER;
    // Every conversation uses the relay: transcription, chat model, speech.
    const mode = plan.assistant.mode === 'multimodal' ? ['engine_type'] : [];
    const notApplied = [...mode, ...this.carrier.settingsNotApplied(plan.relay)];
    await this.calls.noteSettingsNotApplied(call.id, notApplied);
    const relay = resumed ? { ...plan.relay, greeting: null } : plan.relay;
    return { kind: 'converse', token: call.token, settings: relay };
  }

  private async plan(call: CallView) {
    const assistant = await this.assistants.assistantView(call.accountId, call.assistantId);
    if (!assistant) return null;
    const { aiDisclosure } = this.settings.calls;
    const plan: ConversationPlan = planConversation(assistant, call, { aiDisclosure, now: new Date() });
    return { ...plan, assistant };
  }
}
