import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallProgress } from '../calls/call-progress.service.js';
import { CallRecords } from '../calls/call-records.service.js';
import type { CallView } from '../calls/call.view.js';
import { Carrier } from '../telephony/carrier.js';
import { CarrierGateway } from '../telephony/carrier-gateway.js';
import type { AnswerPlan, CallHandler, CallReport, IncomingCall } from '../telephony/carrier-reports.js';
import type { Leg } from '../telephony/leg.js';
import { planConversation, type ConversationPlan } from './conversation-plan.js';
import { InboundCalls } from './inbound-calls.service.js';
import { LiveConversations } from './live-conversations.service.js';
import { Voicemail } from './voicemail.service.js';

const OVER: AnswerPlan = { kind: 'hangup' };

/** What telephony hands over: the carrier's questions, its reports, and the lines themselves. */
@Injectable()
export class CallConversations implements CallHandler, OnModuleInit {
  private readonly logger = new Logger(CallConversations.name);

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly gateway: CarrierGateway,
    private readonly carrier: Carrier,
    private readonly assistants: AssistantsService,
    private readonly records: CallRecords,
    private readonly progress: CallProgress,
    private readonly live: LiveConversations,
    private readonly inbound: InboundCalls,
    private readonly voicemail: Voicemail,
  ) {}

  onModuleInit(): void {
    this.gateway.useCalls(this);
  }

  async answer(token: string, sid: string, resumed: boolean): Promise<AnswerPlan> {
    const call = await this.records.byToken(token);
    // A conversation that came to its end does not begin again because its socket closed.
    if (!call || call.endedAt || call.endedBy) return OVER;
    await this.progress.report(call.id, { sid, status: 'in-progress' });
    return this.converseWith(call, resumed);
  }

  async incoming(incoming: IncomingCall): Promise<AnswerPlan> {
    const call = await this.inbound.accept(incoming);
    if (call === 'busy' || call === 'rejected') return { kind: 'reject', busy: call === 'busy' };
    await this.progress.report(call.id, { sid: incoming.sid, status: 'in-progress' });
    return this.converseWith(call, false);
  }

  async report(report: CallReport): Promise<void> {
    const call =
      report.token === null ? await this.records.bySid(report.sid) : await this.records.byToken(report.token);
    if (!call) return this.logger.warn('The carrier reported a call that nobody knows');
    await this.progress.report(call.id, report);
    if (report.answeredBy === 'machine') await this.voicemail.detected(call);
  }

  async expects(token: string): Promise<boolean> {
    const call = await this.records.byToken(token);
    return call !== null && call.endedAt === null;
  }

  async converse(token: string, leg: Leg): Promise<void> {
    const call = await this.records.byToken(token);
    const plan = call && (await this.plan(call));
    if (!call || !plan) return leg.end('unknown');
    await this.live.hold(call, plan.assistant, plan.settings, leg);
  }

  private async converseWith(call: CallView, resumed: boolean): Promise<AnswerPlan> {
    const plan = await this.plan(call);
    if (!plan) return OVER;
    // Every conversation goes through the relay: transcription, chat model, speech.
    const mode = plan.assistant.mode === 'multimodal' ? ['engine_type'] : [];
    const notApplied = [...mode, ...this.carrier.settingsNotApplied(plan.relay)];
    await this.records.noteSettingsNotApplied(call.id, notApplied);
    const relay = resumed ? { ...plan.relay, greeting: null } : plan.relay;
    return { kind: 'converse', token: call.token, settings: relay };
  }

  private async plan(call: CallView) {
    const assistant = await this.assistants.view(call.accountId, call.assistantId);
    if (!assistant) return null;
    const { aiDisclosure } = this.settings.calls;
    const plan: ConversationPlan = planConversation(assistant, call, { aiDisclosure, now: new Date() });
    return { ...plan, assistant };
  }
}
