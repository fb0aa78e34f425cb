import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import type { RelaySettings } from '../telephony/call-session.js';
import type { ConversationSettings, FillerPhrases } from './engine/conversation-settings.js';

/** Variables that the system fills in; others in single braces are variables of the call. */
export interface SystemValues {
  customer_phone: string;
  assistant_phone: string;
  assistant_name: string;
  current_date: string;
  current_time: string;
}

const PLACEHOLDER = /\{\{\s*([\w.-]+)\s*\}\}|\{\s*([\w.-]+)\s*\}/g;

/** A longer value is no name, date or remark. */
const MAX_VALUE_CHARACTERS = 500;

/**
 * Fills `{name}` and `{{name}}` from the call's variables and from system values such as `{{customer_phone}}`, which
 * win in double braces; a missing value becomes the empty text. Values become one line of limited length and are not
 * read as templates. In a `prompt` texts stand in quotes: whoever filled in a lead's form must not instruct the model.
 */
export function fillTemplate(
  template: string,
  variables: Record<string, unknown>,
  system: SystemValues,
  use: 'speech' | 'prompt' = 'speech',
): string {
  return template.replace(PLACEHOLDER, (_, double?: string, single?: string) => {
    const name = double ?? single ?? '';
    const value = own(variables, name);
    const isSystem = Object.hasOwn(system, name) && (double !== undefined || value === undefined);
    if (isSystem) return oneLine(own(system, name));
    return use === 'prompt' ? quoted(value) : oneLine(value);
  });
}

function own(values: object, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name as keyof typeof values] : undefined;
}

function oneLine(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > MAX_VALUE_CHARACTERS ? `${line.slice(0, MAX_VALUE_CHARACTERS).toWellFormed()}…` : line;
}

function quoted(value: unknown): string {
  const line = oneLine(value);
  return line === '' || typeof value === 'number' || typeof value === 'boolean' ? line : JSON.stringify(line);
}

/** Date and time in words, in the assistant's time zone. */
export function localNow(timezone: string, now: Date): Pick<SystemValues, 'current_date' | 'current_time'> {
  const parts = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: timezone, ...options }).format(now);
  return {
    current_date: parts({ year: 'numeric', month: '2-digit', day: '2-digit' }),
    current_time: parts({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}

interface Disclosure {
  ai: string;
  recording: string;
}

const ENGLISH: Disclosure = {
  ai: 'You are speaking with an automated assistant.',
  recording: 'This call is recorded.',
};

const TEXTS: Record<string, Disclosure> = {
  en: ENGLISH,
  de: {
    ai: 'Sie sprechen mit einem automatischen Assistenten.',
    recording: 'Dieses Gespräch wird aufgezeichnet.',
  },
  es: { ai: 'Está hablando con un asistente automático.', recording: 'Esta llamada se graba.' },
  fr: { ai: 'Vous parlez avec un assistant automatique.', recording: 'Cet appel est enregistré.' },
  it: { ai: 'Sta parlando con un assistente automatico.', recording: 'Questa chiamata viene registrata.' },
  pt: { ai: 'Está a falar com um assistente automático.', recording: 'Esta chamada é gravada.' },
  nl: { ai: 'U spreekt met een automatische assistent.', recording: 'Dit gesprek wordt opgenomen.' },
  pl: { ai: 'Rozmawia Pani lub Pan z automatycznym asystentem.', recording: 'Ta rozmowa jest nagrywana.' },
};

/** What has to be said before the first line, in the call's language; English for languages without built-in phrases. */
export function disclosures(
  language: string,
  { ai, recording }: { ai: boolean; recording: boolean },
): string[] {
  const texts = TEXTS[language.slice(0, 2).toLowerCase()] ?? ENGLISH;
  return [...(ai ? [texts.ai] : []), ...(recording ? [texts.recording] : [])];
}

/** Time for the last sentence and hanging up. The shortest paid time is a minute. */
const GOODBYE_SECONDS = 10;

/** Settings of one conversation, for the call session and for the engine. */
export interface ConversationPlan {
  relay: RelaySettings;
  settings: ConversationSettings;
}

interface PlanOptions {
  aiDisclosure: boolean;
  fallbackAfterMs: number;
  now: Date;
  /** Whether the carrier speaks and understands a language (BCP 47) where this provider's voice speaks. */
  speaks: (voiceProvider: string, language: string) => boolean;
}

export function planConversation(
  assistant: AssistantView,
  call: CallView,
  options: PlanOptions,
): ConversationPlan {
  const fill = filler(assistant, call, options.now);
  const language = assistant.language.tag;
  const notices = disclosures(language, {
    ai: options.aiDisclosure && call.type === 'outbound',
    recording: assistant.recordCall,
  });
  const first = assistant.waitForCustomer
    ? null
    : [...notices, fill(assistant.initialMessage)].join(' ').trim();
  const greeting = first || null;
  const { voice } = assistant;
  const languages = assistant.otherLanguages.filter(
    ({ tag }) => voice && options.speaks(voice.provider, tag),
  );
  return {
    relay: { ...relaySettings(assistant, greeting), otherLanguages: languages.map(({ tag }) => tag) },
    settings: {
      ...conversationSettings(assistant, greeting, longest(assistant, call)),
      systemPrompt: fill(assistant.systemPrompt, 'prompt'),
      notice: notices.join(' ') || null,
      fallbackModel: assistant.fallbackModel,
      fallbackAfterMs: options.fallbackAfterMs,
      otherLanguages: languages.map(({ tag, fillers }) => ({
        tag,
        fillers: assistant.fillerAudios ? fillers : null,
      })),
    },
  };
}

/**
 * A call whose limit was shortened to what the balance pays is ended by the carrier at that limit: the goodbye is
 * said before.
 */
const longest = ({ maxCallDuration }: AssistantView, call: CallView): number =>
  call.maxDuration < maxCallDuration ? call.maxDuration - GOODBYE_SECONDS : maxCallDuration;

type Fill = (template: string, use?: 'speech' | 'prompt') => string;

function filler({ name, timezone }: AssistantView, call: CallView, now: Date): Fill {
  const system = {
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    assistant_name: name,
    ...localNow(timezone, now),
  };
  return (template, use) => fillTemplate(template, call.variables, system, use);
}

/** No provider has it: the language's default voice speaks, and `voice_id` counts as not applied. */
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
  };
}

function conversationSettings(
  assistant: AssistantView,
  greeting: string | null,
  maxDurationSeconds: number,
): Omit<
  ConversationSettings,
  'systemPrompt' | 'notice' | 'fallbackModel' | 'fallbackAfterMs' | 'otherLanguages'
> {
  return {
    model: assistant.llmModel,
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
