import { Injectable, Logger } from '@nestjs/common';
import {
  CallStateService,
  MACHINE_CALL_SECONDS,
  VOICEMAIL_REASON,
} from '#src/modules/calls/states/call-state.service.js';
import { describeError } from '#src/common/errors/describe-error.js';
import { hasAssistantLeft } from '#src/modules/calls/states/call-transfers.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import { Clock } from './engine/clock.js';
import { CALL_SCREENING } from './engine/call-screening.js';
import { countExchanges } from './engine/exchanges.js';
import { isMailboxText } from './engine/recorded-text.js';
import type { AnswererStep } from './engine/conversation-recorder.js';
import type { CallView } from '../calls/call.view.js';
import type { AnsweredBy, CallInstructions } from '../telephony/carrier-reports.js';
import { CarrierCalls } from '../telephony/carrier-calls.js';
import { CarrierError } from '../telephony/carrier-error.js';
import { CallInstructionsService, HANG_UP_INSTRUCTIONS } from './call-instructions.service.js';
import { CarrierAnnouncementsService } from './carrier-announcements.service.js';

/** Maximum wait for the transcript of an announcement, from the report of its beginning … */
const ANNOUNCEMENT_TIMEOUT_MS = 10_000;
/** … and from the report of its end. */
const ANNOUNCEMENT_END_TIMEOUT_MS = 2_000;
/**
 * Shorter texts ("Hi.") do not distinguish an announcement from call screening, and a menu names its keys late.
 */
const isLongAnnouncement = (words: string): boolean => words.split(/\s+/).length >= 3;
const POLL_INTERVAL_MS = 500;
/**
 * Exchanges with the assistant after which the callee is a person, whatever the detection reports.
 */
const PERSON_EXCHANGES = 2;
/** For a slow voice. */
const SECONDS_PER_CHARACTER = 0.1;

/**
 * Handles calls answered by a machine, in the process that receives the report, wherever the conversation runs.
 */
@Injectable()
export class VoicemailService {
  private readonly logger = new Logger(VoicemailService.name);

  constructor(
    private readonly plans: CallInstructionsService,
    private readonly callState: CallStateService,
    private readonly announcements: CarrierAnnouncementsService,
    private readonly carrier: CarrierCalls,
    private readonly calls: CallsRepository,
    private readonly transcript: TranscriptRepository,
    private readonly clock: Clock,
  ) {}

  /** The carrier reports a machine. */
  handleMachineDetected(call: CallView, sid: string): Promise<void> {
    return this.handleMachine(call, sid, false);
  }

  /**
   * Whether to hang up a call with a reported machine after its timeout. A call in which both sides have spoken
   * continues, and one whose last report is of a person.
   */
  async shouldHangUp(call: CallView): Promise<boolean> {
    if (call.answeredBy !== 'human' && !(await this.isPerson(call.id, 1))) return true;
    await this.callState.markAnsweredByPerson(call.id);
    return false;
  }

  /** Machine detection reports call screening and menus as a machine; a mailbox after screening is one. */
  async handleScreening(call: CallView, step: AnswererStep): Promise<void> {
    if (step === 'asked') return this.callState.markAnsweredByScreening(call.id);
    if (step === 'menu') return this.callState.markAnsweredByMenu(call.id);
    await this.callState.markScreeningEnded(call.id, step === 'connected' ? 'human' : 'machine');
    const sid = call.carrierSid ?? (await this.calls.findView(call.id))?.carrierSid;
    if (step === 'declined' && sid) await this.handleMachine(call, sid, true);
  }

  /** Instructions for an ended conversation: the message for the machine, or a hang-up. */
  async planMessage(call: CallView): Promise<CallInstructions> {
    const plan = await this.findMessage(call);
    if (!plan) return HANG_UP_INSTRUCTIONS;
    const { message: text, relay, settings } = plan;
    await this.announcements.beginAnnouncement(call.id, text, settings.speechSpeed);
    const say = { text, language: settings.language, voice: relay.voice };
    return { kind: 'hangup', say, confirm: call.token };
  }

  /** The message was played to its end. */
  markMessagePlayed(call: CallView): Promise<void> {
    return this.announcements.markPlayed(call.id);
  }

  /** At the end of the call: shortens the message to its heard part. */
  async truncateMessage(call: CallView): Promise<void> {
    const plan = call.endedAt === null ? await this.findMessage(call) : null;
    if (plan) await this.announcements.truncateAnnouncement(call.id, plan.message);
  }

  /**
   * Whether an ended call was a conversation with a person whom the detection reported as a machine, earlier or in
   * this report.
   */
  async isConversation(call: CallView, reported: AnsweredBy | undefined): Promise<boolean> {
    if (call.endedAt !== null || call.endedReason === VOICEMAIL_REASON) return false;
    if (call.answeredBy !== 'machine' && reported !== 'machine') return false;
    return this.isPerson(call.id, PERSON_EXCHANGES);
  }

  /**
   * Not awaited by the carrier's request: the action may depend on the rest of the announcement.
   *
   * @param isCertain whether it is a machine in spite of earlier exchanges
   */
  private async handleMachine(call: CallView, sid: string, isCertain: boolean): Promise<void> {
    const plan = await this.plans.planConversation(call);
    // A transferred call is with a person, who must not lose it.
    if (!plan || call.endedBy || hasAssistantLeft(call)) return;
    if (!isCertain && (await this.isPerson(call.id, PERSON_EXCHANGES)))
      return this.callState.markAnsweredByPerson(call.id);
    const { voicemailMessage: message, assistant } = plan;
    // Also if this process terminates while it waits.
    if (message === null) await this.callState.scheduleHangUp(call.id, MACHINE_CALL_SECONDS);
    if (message === null && !assistant.endCallOnVoicemail) return;
    const announcement =
      message === null
        ? this.waitForAnnouncement(call.id, ANNOUNCEMENT_TIMEOUT_MS, isMailboxText)
        : this.waitForAnnouncement(call.id, ANNOUNCEMENT_END_TIMEOUT_MS, isLongAnnouncement);
    void announcement
      .then(() => this.endVoicemail(call, sid, message, isCertain))
      .catch((error: unknown) => this.logger.error(`Call ${call.id}: voicemail`, describeError(error)));
  }

  /** Resolves when enough words of the machine are stored, or after `timeoutMs`. */
  private async waitForAnnouncement(
    callId: number,
    timeoutMs: number,
    isEnough: (texts: string) => boolean,
  ): Promise<void> {
    for (const until = this.clock.now() + timeoutMs; this.clock.now() < until;) {
      const turns = await this.transcript.findTurns(callId);
      const said = turns.flatMap(({ role, text }) => (role === 'customer' ? text : []));
      if (isEnough(said.join(' '))) return;
      await new Promise<void>((resolve) => this.clock.setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  private async endVoicemail(
    call: CallView,
    sid: string,
    message: string | null,
    isCertain: boolean,
  ): Promise<void> {
    const now = await this.calls.findView(call.id);
    if (!now || hasAssistantLeft(now) || !(isCertain || (await this.shouldHangUp(now)))) return;
    await (message === null ? this.hangUp(call, sid) : this.speakMessage(call, sid, message));
  }

  /** Machine detection may report a person with a long greeting: enough exchanges prove a person. */
  private async isPerson(callId: number, exchanges: number): Promise<boolean> {
    const runs = await this.transcript.findToolRuns(callId);
    // The exchanges were with call screening, and a mailbox follows.
    if (runs.some((run) => run.toolName === CALL_SCREENING && run.arguments['step'] === 'declined'))
      return false;
    return countExchanges(await this.transcript.findTurns(callId)) >= exchanges;
  }

  /** No effect on a screened call. */
  private async hangUp(call: CallView, sid: string): Promise<void> {
    if (await this.callState.markVoicemail(call.id, MACHINE_CALL_SECONDS, 'hung_up')) {
      await this.requestCarrier(call, () => this.carrier.endCall(sid));
    }
  }

  /** Only once per call, across processes and repeated reports. */
  private async speakMessage(call: CallView, sid: string, message: string): Promise<void> {
    const longest = MACHINE_CALL_SECONDS + Math.ceil(message.length * SECONDS_PER_CHARACTER);
    if (!(await this.callState.markVoicemail(call.id, longest, 'message'))) return;
    await this.requestCarrier(call, () => this.carrier.redirectCall(sid, call.token));
  }

  private async findMessage(call: CallView) {
    const plan = call.endedReason === VOICEMAIL_REASON ? await this.plans.planConversation(call) : null;
    return plan && plan.voicemailMessage !== null ? { ...plan, message: plan.voicemailMessage } : null;
  }

  private async requestCarrier(call: CallView, request: () => Promise<void>): Promise<void> {
    try {
      await request();
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`Call ${call.id} could not be ended yet; call reconciliation will end it`);
    }
  }
}
