import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { pendingTransfer } from '#src/modules/calls/states/call-transfers.js';
import type { CallView } from '../calls/call.view.js';
import { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import { CarrierCalls } from '../telephony/carrier-calls.js';
import type { AnswerPlan, Resumption, CarrierSpeech } from '../telephony/carrier-reports.js';
import type { RelaySettings } from '../telephony/call-session.js';
import { CallVoicesService } from './call-voices.service.js';
import { busySentence } from './busy-sentences.js';
import { planConversation, type ConversationPlan } from './conversation-plan.js';
import { greetingHeard, withoutSaidNotice } from './earlier-turns.js';
import { Clock } from './engine/clock.js';
import { LastWordsService } from './last-words.service.js';
import { transferPlan } from './transfer-plan.js';

/** Nothing is left to say. */
export const OVER: AnswerPlan = { kind: 'hangup' };

/** Plans calls: what the carrier is told, and with which settings the conversation runs. */
@Injectable()
export class AnswerPlansService {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly carrier: CarrierCalls,
    private readonly assistants: AssistantsService,
    private readonly transcript: TranscriptRepository,
    private readonly lastWords: LastWordsService,
    private readonly clock: Clock,
    private readonly voices: CallVoicesService,
  ) {}

  /** The answer to the carrier's request for instructions; the settings that do not apply are noted in the call. */
  async answerPlan(call: CallView, resumption: Resumption | null): Promise<AnswerPlan> {
    const transfer = pendingTransfer(call);
    if (transfer) return transferPlan(call, transfer, this.clock.now());
    const plan = await this.conversationPlan(resumption ? await this.noticeSaid(call) : call);
    if (!plan) return OVER;
    if (resumption?.isOver) return this.lastWords.giveUp(call, plan.settings);
    const relay = resumption ? await this.again(call, plan.relay, resumption) : plan.relay;
    await this.voices.note(call, { ...plan, relay });
    const { token } = call;
    if (plan.realtime) return { kind: 'stream', token, ...noticesFor(plan, relay, resumption) };
    if (plan.speech) return { kind: 'stream', token, notices: null, record: relay.record };
    return { kind: 'converse', token, settings: relay };
  }

  /** The call is over; what was heard of a notice that no session followed is stored. */
  async callOver(call: CallView): Promise<void> {
    const { answeredAt, endedAt } = call;
    const notice = endedAt === null && answeredAt ? await this.noticeAlone(call) : null;
    if (!notice || !answeredAt) return;
    await this.lastWords.noticeHeard(call, notice, this.clock.now() - answeredAt.getTime());
  }

  /** Who speaks and listens by this plan failed: the call goes on without, once the carrier asks how. */
  async giveUp(call: CallView, plan: ConversationPlan & { assistant: AssistantView }): Promise<void> {
    await this.voices.giveUp(call, plan);
  }

  /** The answer to an inbound call whose record has ended: it was refused, or the carrier repeats its request. */
  async refusal(call: CallView): Promise<AnswerPlan> {
    const busy = call.status === 'busy';
    if (!busy || this.settings.calls.inboundBusy === 'reject') return { kind: 'reject', busy };
    const assistant = await this.assistants.assistantView(call.accountId, call.assistantId);
    if (!assistant) return { kind: 'reject', busy };
    const language = assistant.language.tag;
    return { kind: 'hangup', say: { text: busySentence(language), language } };
  }

  /** Null when the call's account is gone. */
  async conversationPlan(call: CallView): Promise<(ConversationPlan & { assistant: AssistantView }) | null> {
    const assistant = await this.assistants.assistantOfCall(call.accountId, call.assistantId);
    if (!assistant) return null;
    const { aiDisclosure } = this.settings.calls;
    const withoutRealtime = !this.voices.usesRealtime(call);
    const speech = await this.voices.speechPlan(call, assistant);
    const plan = planConversation(assistant, call, {
      withoutRealtime,
      speech,
      aiDisclosure,
      fallbackAfterMs: this.settings.model.fallbackSeconds * 1000,
      now: new Date(this.clock.now()),
      speaks: (voiceProvider, language) => this.carrier.canSpeak(voiceProvider, language),
    });
    const isResumed = plan.realtime !== null && call.conversationClaim > 0;
    if (!isResumed && !this.voices.goesOnWithout(call)) return { ...plan, assistant };
    const turns = await this.transcript.turns(call.id);
    return { ...withoutSaidNotice(plan, turns), assistant };
  }

  /** The stream that follows a notice never opened: the notice was said, and is not said again. */
  private async noticeSaid(call: CallView): Promise<CallView> {
    const notice = await this.noticeAlone(call);
    if (notice === null) return call;
    return this.lastWords.noticeSaid(call, notice);
  }

  /** What the carrier says before the stream, of a call that has had no session; null: nothing. */
  private async noticeAlone(call: CallView): Promise<string | null> {
    const plan = call.conversationClaim === 0 ? await this.conversationPlan(call) : null;
    return plan?.realtime ? plan.settings.notice : null;
  }

  /** The recording goes on by itself; a greeting that was not heard is spoken again. */
  private async again(
    call: CallView,
    relay: RelaySettings,
    { defaultVoice }: Resumption,
  ): Promise<RelaySettings> {
    const greeting = greetingHeard(await this.transcript.turns(call.id)) ? null : relay.greeting;
    return { ...relay, greeting, defaultVoice, record: false };
  }
}

/** What the law wants said is said by the carrier, before a realtime model's voice greets: models vary words. */
function noticesFor(
  { settings: { notice, language } }: ConversationPlan,
  { greeting, record }: RelaySettings,
  resumption: Resumption | null,
): { notices: CarrierSpeech | null; record: boolean } {
  const isDue = resumption === null || greeting !== null;
  return { notices: notice && isDue ? { text: notice, language } : null, record };
}
