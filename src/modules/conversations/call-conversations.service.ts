import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { pendingTransfer, TRANSFERRED } from '#src/modules/calls/states/call-transfers.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { CarrierGatewayService } from '../telephony/carrier-gateway.service.js';
import type {
  AnswerPlan,
  CarrierCallHandler,
  CallReport,
  CarrierCallStatus,
  IncomingCall,
  Resumption,
} from '../telephony/carrier-reports.js';
import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { CallSession } from '../telephony/call-session.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import type { ConversationPlan } from './conversation-plan.js';
import { AnswerPlansService, OVER } from './answer-plans.service.js';
import { END_REASONS, isEndReason } from './engine/conversation-settings.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { LiveConversationsService } from './live-conversations.service.js';
import { VoicemailService } from './voicemail.service.js';

type Running =
  | { reason: string }
  | { reason: null; call: CallView; plan: ConversationPlan & { assistant: AssistantView } };

/**
 * Ends of a call that came in which tell of a caller; calls that the service turns away without a record end as busy.
 */
const CALLER_GONE: ReadonlySet<CarrierCallStatus> = new Set(['completed', 'canceled', 'no-answer', 'failed']);

/** Handles the carrier's requests for instructions, its reports, and call sessions. */
@Injectable()
export class CallConversationsService implements CarrierCallHandler, OnModuleInit {
  private readonly logger = new Logger(CallConversationsService.name);

  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly plans: AnswerPlansService,
    private readonly live: LiveConversationsService,
    private readonly inbound: InboundCallsService,
    private readonly voicemail: VoicemailService,
  ) {}

  onModuleInit(): void {
    this.gateway.setCallHandler(this);
  }

  async planAnswer(token: string, sid: string, resumption: Resumption | null): Promise<AnswerPlan> {
    const call = await this.calls.findByToken(token);
    addToLogContext({ callId: call?.id });
    // A conversation that has ended does not resume when its socket closes.
    if (!call || call.endedAt) return OVER;
    if (call.endedBy) return resumption ? OVER : this.voicemail.answerPlan(call);
    await this.answered(call, sid);
    return this.plans.answerPlan(call, resumption);
  }

  async planIncomingCall(incoming: IncomingCall): Promise<AnswerPlan> {
    const call = await this.inbound.openInboundCall(incoming);
    if (!call) return { kind: 'reject', busy: false };
    addToLogContext({ callId: call.id });
    if (call.endedAt !== null) return this.plans.refusal(call);
    await this.answered(call, incoming.sid);
    return this.plans.answerPlan(call, null);
  }

  private async answered({ id, status, carrierSid }: CallView, sid: string): Promise<void> {
    // The carrier asks for each further document too.
    if (status === 'in-progress' && carrierSid !== null) return;
    await this.callState.applyReport({ id }, { sid, status: 'in-progress' });
  }

  async applyReport(report: CallReport): Promise<void> {
    const { token, sid, status } = report;
    if (status === 'completed' && (await this.isOver(report))) return;
    const key = token === null ? { carrierSid: sid } : { token };
    let call = await this.callState.applyReport(key, report);
    if (!call && report.incoming && status !== undefined && CALLER_GONE.has(status)) {
      await this.inbound.recordOverCall(report.incoming);
      call = await this.callState.applyReport(key, report);
    }
    if (!call) return this.logger.warn('The carrier reported a call that nobody knows');
    addToLogContext({ callId: call.id });
    if (report.answeredBy === 'machine') await this.voicemail.onMachineDetected(call, sid);
  }

  async shouldHangUp(token: string): Promise<boolean> {
    const call = await this.calls.findByToken(token);
    return call === null || this.voicemail.isToHangUp(call);
  }

  async onTextSpoken(token: string): Promise<void> {
    const call = await this.calls.findByToken(token);
    if (call && call.endedAt === null) await this.voicemail.messageSpoken(call);
  }

  /**
   * Stored already, unless the process died when it had ended the session. A transfer that is not stored is not made.
   */
  async planAfterSession(token: string, reason: string, defaultVoice: boolean): Promise<AnswerPlan> {
    const call = await this.calls.findByToken(token);
    addToLogContext({ callId: call?.id });
    if (!call || call.endedBy || call.endedAt || !isEndReason(reason)) return OVER;
    if (reason === TRANSFERRED) return this.plans.answerPlan(call, { defaultVoice, isOver: false });
    await this.callState.markEnded(call.id, END_REASONS[reason], reason);
    return OVER;
  }

  async expectsSocket(token: string): Promise<boolean> {
    const call = await this.calls.findByToken(token);
    return call !== null && call.endedAt === null;
  }

  /** Stores what was heard of a message, before the transcript is final. @returns whether the report changes nothing */
  private async isOver({ token, sid, answeredBy, recordingUrl }: CallReport): Promise<boolean> {
    const call = token === null ? await this.calls.findBySid(sid) : await this.calls.findByToken(token);
    if (!call) return false;
    await this.voicemail.callOver(call);
    await this.plans.callOver(call);
    const bringsNothing = answeredBy === undefined && recordingUrl === undefined;
    return bringsNothing && call.endedAt !== null && call.carrierSid !== null;
  }

  async converse(token: string, session: CallSession, documentAt: number): Promise<void> {
    const found = await this.running(token);
    if (found.reason !== null) return session.end(found.reason);
    await this.live.runConversation(found.call, found.plan, session, documentAt);
  }

  async converseOverAudio(token: string, line: AudioLine, documentAt: number): Promise<void> {
    const found = await this.running(token);
    if (found.reason !== null) return line.end(found.reason);
    const { call, plan } = found;
    // It was given up when the carrier was asked to open the line, or since.
    if (!plan.realtime && !plan.speech) return line.end('line_lost');
    const options = { documentAt, noticeSaid: plan.realtime !== null };
    const session = await this.live.runOverAudio(call, plan, line, options);
    if (session.failed) await this.plans.giveUp(call, plan);
    session.hangUp();
  }

  /** The conversation that a session belongs to; with a reason it is not held. */
  private async running(token: string): Promise<Running> {
    const call = await this.calls.findByToken(token);
    addToLogContext({ callId: call?.id });
    const plan = call && (await this.plans.conversationPlan(call));
    // A session that broke after its end is opened again by the carrier.
    if (!call || !plan || call.endedBy) return { reason: call?.endedReason ?? 'unknown' };
    // The process that handed the call over died before it could say so.
    if (pendingTransfer(call)) return { reason: TRANSFERRED };
    return { reason: null, call, plan };
  }
}
