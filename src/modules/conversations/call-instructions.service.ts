import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { pendingTransfer } from '#src/modules/calls/states/call-transfers.js';
import type { CallView } from '../calls/call.view.js';
import { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import { CarrierCalls } from '../telephony/carrier-calls.js';
import type { CallInstructions, SessionResumption, CarrierSpeech } from '../telephony/carrier-reports.js';
import type { RelaySettings } from '../telephony/call-session.js';
import { CallSpeechService } from './call-speech.service.js';
import { packOf } from './languages/languages.js';
import { planConversation, type ConversationPlan } from './conversation-plan.js';
import { isGreetingHeard, omitHeardNotice } from './earlier-turns.js';
import { Clock } from './engine/clock.js';
import { CarrierAnnouncementsService } from './carrier-announcements.service.js';
import { toTransferInstructions } from './transfer-instructions.js';

/** Instructions for a finished conversation. */
export const HANG_UP_INSTRUCTIONS: CallInstructions = { kind: 'hangup' };

/** Plans calls: the instructions to the carrier and the settings of the conversation. */
@Injectable()
export class CallInstructionsService {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly carrier: CarrierCalls,
    private readonly assistants: AssistantsService,
    private readonly transcript: TranscriptRepository,
    private readonly announcements: CarrierAnnouncementsService,
    private readonly clock: Clock,
    private readonly speech: CallSpeechService,
  ) {}

  /** Responds to the carrier's request for instructions, and stores the settings that do not apply to the call. */
  async planCall(call: CallView, resumption: SessionResumption | null): Promise<CallInstructions> {
    const transfer = pendingTransfer(call);
    if (transfer) return toTransferInstructions(call, transfer, this.clock.now());
    const plan = await this.planConversation(resumption ? await this.storeSpokenNotice(call) : call);
    if (!plan) return HANG_UP_INSTRUCTIONS;
    if (resumption?.isOver) return this.announcements.planConnectionLost(call, plan.settings);
    const relay = resumption ? await this.resumeRelay(call, plan.relay, resumption) : plan.relay;
    await this.speech.storeSettingsNotApplied(call, { ...plan, relay });
    const { token } = call;
    if (plan.realtime) {
      this.speech.prepareSession(call, plan);
      return { kind: 'stream', token, ...toNotices(plan, relay, resumption) };
    }
    if (plan.speech) return { kind: 'stream', token, notices: null, record: relay.record };
    return { kind: 'converse', token, settings: relay };
  }

  /** At the end of a call without a session: stores the heard part of the notice. */
  async storeHeardNotice(call: CallView): Promise<void> {
    this.speech.discardSession(call.id);
    const { answeredAt, endedAt } = call;
    const notice = endedAt === null && answeredAt ? await this.findPendingNotice(call) : null;
    if (!notice || !answeredAt) return;
    await this.announcements.storeHeardNotice(call, notice, this.clock.now() - answeredAt.getTime());
  }

  /** Marks the model or the providers of this plan as failed: the next instructions omit them. */
  async markSpeechFailed(
    call: CallView,
    plan: ConversationPlan & { assistant: AssistantView },
  ): Promise<void> {
    await this.speech.markFailed(call, plan);
  }

  /** Instructions for an inbound call with an ended record: it was refused, or the carrier repeats its request. */
  async planRefusal(call: CallView): Promise<CallInstructions> {
    const busy = call.status === 'busy';
    if (!busy || this.settings.calls.inboundBusy === 'reject') return { kind: 'reject', busy };
    const assistant = await this.assistants.assistantView(call.accountId, call.assistantId);
    if (!assistant) return { kind: 'reject', busy };
    const language = assistant.language.tag;
    return { kind: 'hangup', say: { text: packOf(language).busy, language } };
  }

  /** Null when the call's account is deleted. */
  async planConversation(call: CallView): Promise<(ConversationPlan & { assistant: AssistantView }) | null> {
    const assistant = await this.assistants.assistantOfCall(call.accountId, call.assistantId);
    if (!assistant) return null;
    const { aiDisclosure } = this.settings.calls;
    const withoutRealtime = !this.speech.usesRealtime(call);
    const speech = await this.speech.planProviders(call, assistant);
    const plan = planConversation(assistant, call, {
      withoutRealtime,
      speech,
      aiDisclosure,
      fallbackAfterMs: this.settings.model.fallbackSeconds * 1000,
      now: new Date(this.clock.now()),
      speaks: (voiceProvider, language) => this.carrier.canSpeak(voiceProvider, language),
    });
    const isResumed = plan.realtime !== null && call.conversationClaim > 0;
    if (!isResumed && !this.speech.usesFallbackSpeech(call)) return { ...plan, assistant };
    const turns = await this.transcript.findTurns(call.id);
    return { ...omitHeardNotice(plan, turns), assistant };
  }

  /** Stores the notice as heard when its stream never opened, so that it is not repeated. */
  private async storeSpokenNotice(call: CallView): Promise<CallView> {
    const notice = await this.findPendingNotice(call);
    if (notice === null) return call;
    return this.announcements.storeSpokenNotice(call, notice);
  }

  /** The carrier's notice before the stream of a call without a session so far; null: none. */
  private async findPendingNotice(call: CallView): Promise<string | null> {
    const plan = call.conversationClaim === 0 ? await this.planConversation(call) : null;
    return plan?.realtime ? plan.settings.notice : null;
  }

  /** The recording continues by itself; an unheard greeting is repeated. */
  private async resumeRelay(
    call: CallView,
    relay: RelaySettings,
    { defaultVoice }: SessionResumption,
  ): Promise<RelaySettings> {
    const greeting = isGreetingHeard(await this.transcript.findTurns(call.id)) ? null : relay.greeting;
    return { ...relay, greeting, defaultVoice, record: false };
  }
}

/** The carrier speaks legal notices before the greeting of a realtime model, because models vary the words. */
function toNotices(
  { settings: { notice, language } }: ConversationPlan,
  { greeting, record }: RelaySettings,
  resumption: SessionResumption | null,
): { notices: CarrierSpeech | null; record: boolean } {
  const isDue = resumption === null || greeting !== null;
  return { notices: notice && isDue ? { text: notice, language } : null, record };
}
