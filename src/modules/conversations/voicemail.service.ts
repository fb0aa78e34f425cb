import { Injectable, Logger } from '@nestjs/common';
import {
  CallStateService,
  HANG_UP_SECONDS,
  VOICEMAIL,
} from '#src/modules/calls/states/call-state.service.js';
import { describeError } from '#src/common/errors/describe-error.js';
import { isHandedOver } from '#src/modules/calls/states/call-transfers.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import { Clock } from './engine/clock.js';
import { CALL_SCREENING } from './engine/call-screening.js';
import { exchangesIn } from './engine/exchanges.js';
import { soundsLikeMailbox } from './engine/screening-phrases.js';
import type { AnsweringStep } from './engine/conversation-recorder.js';
import type { CallView } from '../calls/call.view.js';
import type { AnswerPlan } from '../telephony/carrier-reports.js';
import { CarrierCalls } from '../telephony/carrier-calls.js';
import { CarrierError } from '../telephony/carrier-error.js';
import { AnswerPlansService, OVER } from './answer-plans.service.js';
import { LastWordsService } from './last-words.service.js';

/** How long an announcement may take to be understood, counted from the report that a machine began to speak … */
const WORDS_WITHIN_MS = 10_000;
/** … and from the report that it has ended. */
const WORDS_AFTER_END_MS = 2_000;
/**
 * At its end, fewer ("Hi.") do not tell an announcement from call screening. Before, a menu may come to its keys late.
 */
const hasTellingWords = (said: string): boolean => said.split(/\s+/).length >= 3;
const ASK_AGAIN_MS = 500;
/**
 * So often a machine is not spoken with before it is reported: who answered is a person, and nobody waits for words.
 */
const SURE_EXCHANGES = 2;
/** Of a slow voice. */
const SECONDS_PER_CHARACTER = 0.1;

/**
 * What happens to a call that a machine answered, in the process that gets the report, wherever the conversation runs.
 */
@Injectable()
export class VoicemailService {
  private readonly logger = new Logger(VoicemailService.name);

  constructor(
    private readonly plans: AnswerPlansService,
    private readonly callState: CallStateService,
    private readonly lastWords: LastWordsService,
    private readonly carrier: CarrierCalls,
    private readonly calls: CallsRepository,
    private readonly transcript: TranscriptRepository,
    private readonly clock: Clock,
  ) {}

  /** The carrier reports a machine. */
  onMachineDetected(call: CallView, sid: string): Promise<void> {
    return this.machineAnswered(call, sid, false);
  }

  /**
   * Whether a call that was reported as one with a machine, and whose time is over, is hung up on. Not one in which
   * both sides have spoken: it goes on.
   */
  async isToHangUp(call: CallView): Promise<boolean> {
    if (!(await this.isPerson(call.id, 1))) return true;
    await this.callState.markPerson(call.id);
    return false;
  }

  /** Detection takes call screening and menus for a machine; a mailbox that follows screening is one. */
  async onScreening(call: CallView, step: AnsweringStep): Promise<void> {
    if (step === 'asked') return this.callState.markScreened(call.id);
    if (step === 'menu') return this.callState.markMenu(call.id);
    await this.callState.markScreeningOver(call.id, step === 'connected' ? 'human' : 'machine');
    const sid = call.carrierSid ?? (await this.calls.callView(call.id))?.carrierSid;
    if (step === 'declined' && sid) await this.machineAnswered(call, sid, true);
  }

  /** The answer to the carrier's request for instructions on a call that has ended: the message, or nothing. */
  async answerPlan(call: CallView): Promise<AnswerPlan> {
    const plan = await this.messagePlan(call);
    if (!plan) return OVER;
    const { message: text, relay, settings } = plan;
    await this.lastWords.begin(call.id, text, settings.speechSpeed);
    const say = { text, language: settings.language, voice: relay.voice };
    return { kind: 'hangup', say, confirm: call.token };
  }

  /** The message was spoken to its end. */
  messageSpoken(call: CallView): Promise<void> {
    return this.lastWords.finish(call.id);
  }

  /** The call is over, maybe before the end of the message. */
  async callOver(call: CallView): Promise<void> {
    const plan = call.endedAt === null ? await this.messagePlan(call) : null;
    if (plan) await this.lastWords.end(call.id, plan.message);
  }

  /**
   * Not awaited by the carrier's request: what is to be done may depend on words that are still being spoken.
   *
   * @param isSure whatever the assistant has spoken with before, it is a machine now
   */
  private async machineAnswered(call: CallView, sid: string, isSure: boolean): Promise<void> {
    const plan = await this.plans.conversationPlan(call);
    // Who was handed over is no machine; the person must not lose the call.
    if (!plan || call.endedBy || isHandedOver(call)) return;
    if (!isSure && (await this.isPerson(call.id, SURE_EXCHANGES))) return this.callState.markPerson(call.id);
    const { voicemailMessage: message, assistant } = plan;
    // Also in case that this process dies while it waits.
    if (message === null) await this.callState.hangUpIn(call.id, HANG_UP_SECONDS);
    if (message === null && !assistant.endCallOnVoicemail) return;
    const announced =
      message === null
        ? this.announced(call.id, WORDS_WITHIN_MS, soundsLikeMailbox)
        : this.announced(call.id, WORDS_AFTER_END_MS, hasTellingWords);
    void announced
      .then(() => this.endVoicemail(call, sid, message, isSure))
      .catch((error: unknown) => this.logger.error(`Call ${call.id}: voicemail`, describeError(error)));
  }

  /** Resolves when words of the machine are stored that tell what it is, or after `limitMs`. */
  private async announced(callId: number, limitMs: number, tell: (said: string) => boolean): Promise<void> {
    for (const until = this.clock.now() + limitMs; this.clock.now() < until;) {
      const turns = await this.transcript.turns(callId);
      const said = turns.flatMap(({ role, text }) => (role === 'customer' ? text : []));
      if (tell(said.join(' '))) return;
      await new Promise<void>((resolve) => this.clock.setTimeout(resolve, ASK_AGAIN_MS));
    }
  }

  private async endVoicemail(
    call: CallView,
    sid: string,
    message: string | null,
    isSure: boolean,
  ): Promise<void> {
    const now = await this.calls.callView(call.id);
    if (!now || isHandedOver(now) || !(isSure || (await this.isToHangUp(now)))) return;
    await (message === null ? this.hangUp(call, sid) : this.speak(call, sid, message));
  }

  /** Detection takes a person with a long greeting for a machine: whom the assistant has spoken with is none. */
  private async isPerson(callId: number, exchanges: number): Promise<boolean> {
    const runs = await this.transcript.toolRuns(callId);
    // What was spoken with was call screening, and a mailbox follows.
    if (runs.some((run) => run.toolName === CALL_SCREENING && run.arguments['step'] === 'declined'))
      return false;
    return exchangesIn(await this.transcript.turns(callId)) >= exchanges;
  }

  /** Nothing happens to a call that is screened. */
  private async hangUp(call: CallView, sid: string): Promise<void> {
    if (await this.callState.markVoicemail(call.id, HANG_UP_SECONDS, 'hung_up')) {
      await this.ask(call, () => this.carrier.endCall(sid));
    }
  }

  /** Only one process, and one of repeated reports, has the message spoken. */
  private async speak(call: CallView, sid: string, message: string): Promise<void> {
    const longest = HANG_UP_SECONDS + Math.ceil(message.length * SECONDS_PER_CHARACTER);
    if (!(await this.callState.markVoicemail(call.id, longest, 'message'))) return;
    await this.ask(call, () => this.carrier.redirectCall(sid, call.token));
  }

  private async messagePlan(call: CallView) {
    const plan = call.endedReason === VOICEMAIL ? await this.plans.conversationPlan(call) : null;
    return plan && plan.voicemailMessage !== null ? { ...plan, message: plan.voicemailMessage } : null;
  }

  private async ask(call: CallView, request: () => Promise<void>): Promise<void> {
    try {
      await request();
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`Call ${call.id} could not be ended yet; call reconciliation will end it`);
    }
  }
}
