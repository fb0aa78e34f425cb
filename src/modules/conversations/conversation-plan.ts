import type { AssistantView } from '../assistants/assistant-view.js';
import { createTextRenderer, renderVoicemailMessage } from '../assistants/text-template.js';
import { localTime } from '#src/common/time/zoned-time.js';
import { customerTimezone } from '../leads/zone-key.js';
import type { CallView } from '../calls/call.view.js';
import type { SpeechPlan } from '../speech/speech-sessions.service.js';
import type { RelaySettings } from '../telephony/call-session.js';
import type { ConversationSettings, FillerPhrases } from './engine/conversation-settings.js';
import { packOf } from './languages/languages.js';
import { type RealtimePlan, realtimePlan } from './realtime/realtime-settings.js';
import { availableTransferTargets } from './transfer-instructions.js';

/**
 * Legal notices before the greeting, in the call's language.
 */
export function disclosureTexts(
  language: string,
  { ai, recording }: { ai: boolean; recording: boolean },
): string[] {
  const texts = packOf(language).disclosure;
  return [...(ai ? [texts.ai] : []), ...(recording ? [texts.recording] : [])];
}

/** Time for the last sentence and hanging up. The shortest paid time is a minute. */
const GOODBYE_SECONDS = 10;

/** Settings of one conversation, for the call session and for the engine. */
export interface ConversationPlan {
  relay: RelaySettings;
  settings: ConversationSettings;
  /** Null: in pipeline mode. */
  realtime: RealtimePlan | null;
  /** Speech providers of pipeline mode; null: the speech of the carrier's relay or of the browser. */
  speech: SpeechPlan | null;
  /** Message for answering machines; null: none. */
  voicemailMessage: string | null;
}

interface PlanOptions {
  aiDisclosure: boolean;
  fallbackAfterMs: number;
  now: Date;
  /** The realtime model of a multimodal assistant is not usable in this call. */
  withoutRealtime?: boolean;
  /** Usable speech providers for a call without a realtime model. */
  speech?: SpeechPlan | null;
  /** Whether the carrier supports a language (BCP 47) with a voice of this provider. */
  speaks: (voiceProvider: string, language: string) => boolean;
}

export function planConversation(
  assistant: AssistantView,
  call: CallView,
  options: PlanOptions,
): ConversationPlan {
  const fill = createTextRenderer(assistant, call, options.now);
  const language = assistant.language.tag;
  const notices = disclosureTexts(language, {
    ai: options.aiDisclosure && call.type === 'outbound',
    recording: assistant.recordCall,
  });
  const first = assistant.waitForCustomer
    ? null
    : [...notices, fill(assistant.initialMessage)].join(' ').trim();
  const greeting = first || null;
  const { voice } = assistant;
  const realtime = options.withoutRealtime ? null : realtimePlan(assistant);
  const speech = realtime ? null : (options.speech ?? null);
  const languages = assistant.otherLanguages.filter(
    ({ tag }) => realtime || speech || (voice && options.speaks(voice.provider, tag)),
  );
  return {
    relay: { ...relaySettings(assistant, greeting), otherLanguages: languages.map(({ tag }) => tag) },
    settings: {
      ...conversationSettings(assistant, greeting, conversationLimit(assistant, call)),
      pressesKeys: call.type === 'outbound',
      callback: call.leadId === null ? null : customerClock(assistant, call, options.now),
      systemPrompt: fill(assistant.systemPrompt, 'prompt'),
      prompt: assistant.systemPrompt,
      notice: notices.join(' ') || null,
      transferTargets: availableTransferTargets(assistant, call),
      model: realtime?.model ?? assistant.llmModel,
      // Without its realtime model the call continues in pipeline mode.
      fallbackModel: realtime ? null : assistant.fallbackModel,
      fallbackAfterMs: options.fallbackAfterMs,
      otherLanguages: languages.map(({ tag, fillers }) => ({
        tag,
        fillers: assistant.fillerAudios ? fillers : null,
      })),
    },
    realtime,
    speech,
    voicemailMessage: renderVoicemailMessage(assistant, call, options.now),
  };
}

/** For appointments: `2026-03-02 (Monday) 09:00` at the customer's place. */
function customerClock(
  assistant: AssistantView,
  call: CallView,
  now: Date,
): NonNullable<ConversationSettings['callback']> {
  const lead = { phoneNumber: call.clientPhoneNumber, variables: call.variables };
  const zone = customerTimezone(lead, assistant.timezone);
  const { weekday, date, time } = localTime(now, zone ?? 'UTC');
  return { zone, begun: `${weekday}, ${date} at ${time}` };
}

/**
 * The carrier ends a call at a limit shortened by the balance: the conversation ends earlier, to leave time for the
 * goodbye.
 */
const conversationLimit = ({ maxCallDuration }: AssistantView, call: CallView): number =>
  call.maxDuration < maxCallDuration ? call.maxDuration - GOODBYE_SECONDS : maxCallDuration;

/** Unknown to every provider: the language's default voice is used, and `voice_id` counts as not applied. */
const DEFAULT_VOICE = { provider: '', voice: '' };

function relaySettings(
  assistant: AssistantView,
  greeting: string | null,
): Omit<RelaySettings, 'otherLanguages'> {
  return {
    greeting,
    language: assistant.language.tag,
    voice: assistant.voice
      ? { provider: assistant.voice.provider, voice: assistant.voice.providerVoice }
      : DEFAULT_VOICE,
    voiceStability: assistant.voiceStability,
    voiceSimilarity: assistant.voiceSimilarity,
    speechSpeed: assistant.speechSpeed,
    allowInterruptions: assistant.allowInterruptions,
    interruptSensitivity: assistant.interruptSensitivity,
    minInterruptWords: assistant.minInterruptWords,
    endpointType: assistant.endpointType,
    endpointSensitivity: assistant.endpointSensitivity,
    noiseCancellation: assistant.noiseCancellation,
    ambientSound: assistant.ambientSound !== 'off',
    ambientSoundVolume: assistant.ambientSoundVolume,
    record: assistant.recordCall,
    redacts: assistant.redaction === 'model',
  };
}

function conversationSettings(
  assistant: AssistantView,
  greeting: string | null,
  maxDurationSeconds: number,
): Omit<
  ConversationSettings,
  | 'model'
  | 'systemPrompt'
  | 'prompt'
  | 'notice'
  | 'pressesKeys'
  | 'callback'
  | 'transferTargets'
  | 'fallbackModel'
  | 'fallbackAfterMs'
  | 'otherLanguages'
> {
  return {
    temperature: assistant.llmTemperature,
    language: assistant.language.tag,
    greeting,
    tools: assistant.tools.map(({ id, name, description, schema }) => ({
      id,
      name,
      description,
      parameters: schema,
    })),
    endCallDescription: assistant.endCallDescription,
    allowInterruptions: assistant.allowInterruptions,
    minInterruptWords: assistant.minInterruptWords,
    fillers: assistant.fillerAudios ? (assistant.fillerConfig as FillerPhrases) : null,
    speechSpeed: assistant.speechSpeed,
    reengagementSeconds: assistant.reengagementInterval,
    maxSilenceSeconds: assistant.maxSilenceDuration,
    maxDurationSeconds,
    reengagementPrompt: assistant.reengagementPrompt,
    maxInitialSilenceSeconds: assistant.maxInitialSilenceDuration,
  };
}
