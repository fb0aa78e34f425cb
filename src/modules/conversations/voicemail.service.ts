import { Injectable, Logger } from '@nestjs/common';
import { CallStateService, HANG_UP_SECONDS, VOICEMAIL } from '../calls/call-state.service.js';
import type { CallView } from '../calls/call.view.js';
import type { AnswerPlan } from '../telephony/carrier-reports.js';
import { Carrier, CarrierError } from '../telephony/carrier.js';
import { AnswerPlansService, OVER } from './answer-plans.service.js';
import { LastWordsService } from './last-words.service.js';

/** Of a slow voice. */
const SECONDS_PER_CHARACTER = 0.1;

/** What happens to a call that a machine answered, in the process that gets the report, wherever the conversation runs. */
@Injectable()
export class VoicemailService {
  private readonly logger = new Logger(VoicemailService.name);

  constructor(
    private readonly plans: AnswerPlansService,
    private readonly callState: CallStateService,
    private readonly lastWords: LastWordsService,
    private readonly carrier: Carrier,
  ) {}

  async onMachineDetected(call: CallView, sid: string): Promise<void> {
    const plan = await this.plans.conversationPlan(call);
    if (!plan || call.endedBy) return;
    const { voicemailMessage: message, assistant } = plan;
    if (message !== null) return this.speak(call, sid, message);
    if (!assistant.endCallOnVoicemail) return this.callState.hangUpIn(call.id, HANG_UP_SECONDS);
    await this.callState.markEnded(call.id, 'system', VOICEMAIL);
    await this.ask(call, () => this.carrier.endCall(sid));
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

  /** Only one process, and one of repeated reports, has the message spoken. */
  private async speak(call: CallView, sid: string, message: string): Promise<void> {
    const longest = HANG_UP_SECONDS + Math.ceil(message.length * SECONDS_PER_CHARACTER);
    if (!(await this.callState.markVoicemail(call.id, longest))) return;
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
