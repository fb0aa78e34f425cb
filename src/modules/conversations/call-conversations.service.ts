import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { pendingTransfer, TRANSFERRED_REASON } from '#src/modules/calls/states/call-transfers.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { CarrierGatewayService } from '../telephony/carrier-gateway.service.js';
import type {
  CallInstructions,
  CarrierCallHandler,
  CallReport,
  CarrierCallStatus,
  IncomingCall,
  SessionResumption,
} from '../telephony/carrier-reports.js';
import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { CallSession } from '../telephony/call-session.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import type { ConversationPlan } from './conversation-plan.js';
import { CallInstructionsService, HANG_UP_INSTRUCTIONS } from './call-instructions.service.js';
import { END_REASONS, isEndReason } from './engine/conversation-settings.js';
import { InboundCallsService } from './inbound-calls.service.js';
import { ConversationRunnerService } from './conversation-runner.service.js';
import { VoicemailService } from './voicemail.service.js';

type FoundConversation =
  | { reason: string }
  | { reason: null; call: CallView; plan: ConversationPlan & { assistant: AssistantView } };

/**
 * Final statuses of inbound calls with a caller on the line; calls refused without a record end as busy.
 */
const CALLER_END_STATUSES: ReadonlySet<CarrierCallStatus> = new Set([
  'completed',
  'canceled',
  'no-answer',
  'failed',
]);

/** Handles the carrier's requests for instructions, its reports, and call sessions. */
@Injectable()
export class CallConversationsService implements CarrierCallHandler, OnModuleInit {
  private readonly logger = new Logger(CallConversationsService.name);

  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly plans: CallInstructionsService,
    private readonly live: ConversationRunnerService,
    private readonly inbound: InboundCallsService,
    private readonly voicemail: VoicemailService,
  ) {}

  onModuleInit(): void {
    this.gateway.setCallHandler(this);
  }

  async planAnsweredCall(
    token: string,
    sid: string,
    resumption: SessionResumption | null,
  ): Promise<CallInstructions> {
    const call = await this.calls.findByToken(token);
    addToLogContext({ callId: call?.id });
    // An ended conversation does not resume when its socket closes.
    if (!call || call.endedAt) return HANG_UP_INSTRUCTIONS;
    if (call.endedBy) return resumption ? HANG_UP_INSTRUCTIONS : this.voicemail.planMessage(call);
    await this.markAnswered(call, sid);
    return this.plans.planCall(call, resumption);
  }

  async planIncomingCall(incoming: IncomingCall): Promise<CallInstructions> {
    const call = await this.inbound.openInboundCall(incoming);
    if (!call) return { kind: 'reject', busy: false };
    addToLogContext({ callId: call.id });
    if (call.endedAt !== null) return this.plans.planRefusal(call);
    await this.markAnswered(call, incoming.sid);
    return this.plans.planCall(call, null);
  }

  private async markAnswered({ id, status, carrierSid }: CallView, sid: string): Promise<void> {
    // Further requests for instructions arrive while the call is in progress.
    if (status === 'in-progress' && carrierSid !== null) return;
    await this.callState.applyReport({ id }, { sid, status: 'in-progress' });
  }

  async applyReport(received: CallReport): Promise<void> {
    const report = received.status === 'completed' ? await this.concludeReport(received) : received;
    if (!report) return;
    const { token, sid, status } = report;
    const key = token === null ? { carrierSid: sid } : { token };
    let call = await this.callState.applyReport(key, report);
    if (!call && report.incoming && status !== undefined && CALLER_END_STATUSES.has(status)) {
      await this.inbound.recordEndedCall(report.incoming);
      call = await this.callState.applyReport(key, report);
    }
    if (!call) return this.logger.warn('The carrier reported an unknown call');
    addToLogContext({ callId: call.id });
    if (report.answeredBy === 'machine') await this.voicemail.handleMachineDetected(call, sid);
  }

  async shouldHangUp(token: string): Promise<boolean> {
    const call = await this.calls.findByToken(token);
    return call === null || this.voicemail.shouldHangUp(call);
  }

  async onMessageSpoken(token: string): Promise<void> {
    const call = await this.calls.findByToken(token);
    if (call && call.endedAt === null) await this.voicemail.markMessagePlayed(call);
  }

  /**
   * The end is stored already, unless the process terminated before it. A transfer without a record is not made.
   */
  async planAfterSession(token: string, reason: string, defaultVoice: boolean): Promise<CallInstructions> {
    const call = await this.calls.findByToken(token);
    addToLogContext({ callId: call?.id });
    if (!call || call.endedBy || call.endedAt || !isEndReason(reason)) return HANG_UP_INSTRUCTIONS;
    if (reason === TRANSFERRED_REASON) return this.plans.planCall(call, { defaultVoice, isOver: false });
    await this.callState.markEnded(call.id, END_REASONS[reason], reason);
    return HANG_UP_INSTRUCTIONS;
  }

  async expectsSocket(token: string): Promise<boolean> {
    const call = await this.calls.findByToken(token);
    return call !== null && call.endedAt === null;
  }

  /**
   * Stores the heard part of messages before the transcript is final, and decides for the last time who answered.
   *
   * @returns null for a report without further effect
   */
  private async concludeReport(report: CallReport): Promise<CallReport | null> {
    const { token, sid, answeredBy, recordingUrl } = report;
    const call = token === null ? await this.calls.findBySid(sid) : await this.calls.findByToken(token);
    if (!call) return report;
    await this.voicemail.truncateMessage(call);
    await this.plans.storeHeardNotice(call);
    const isEmpty = answeredBy === undefined && recordingUrl === undefined;
    if (isEmpty && call.endedAt !== null && call.carrierSid !== null) return null;
    return (await this.voicemail.isConversation(call, answeredBy))
      ? { ...report, answeredBy: 'human' }
      : report;
  }

  async runConversation(token: string, session: CallSession, documentAt: number): Promise<void> {
    const found = await this.findConversation(token);
    if (found.reason !== null) return session.end(found.reason);
    await this.live.runConversation(found.call, found.plan, session, documentAt);
  }

  async runAudioConversation(token: string, line: AudioLine, documentAt: number): Promise<void> {
    const found = await this.findConversation(token);
    if (found.reason !== null) return line.end(found.reason);
    const { call, plan } = found;
    // The model or the providers failed since the carrier was instructed to open the line.
    if (!plan.realtime && !plan.speech) return line.end('line_lost');
    const options = { documentAt, noticeSaid: plan.realtime !== null };
    const session = await this.live.runAudioConversation(call, plan, line, options);
    if (session.failed) await this.plans.markSpeechFailed(call, plan);
    session.hangUp();
  }

  /** The conversation of a session; with a reason where there is none to run. */
  private async findConversation(token: string): Promise<FoundConversation> {
    const call = await this.calls.findByToken(token);
    addToLogContext({ callId: call?.id });
    const plan = call && (await this.plans.planConversation(call));
    // A session that broke after its end is opened again by the carrier.
    if (!call || !plan || call.endedBy) return { reason: call?.endedReason ?? 'unknown' };
    // The process that transferred the call terminated before it closed the session.
    if (pendingTransfer(call)) return { reason: TRANSFERRED_REASON };
    return { reason: null, call, plan };
  }
}
