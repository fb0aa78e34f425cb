import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import type { RelaySettings } from '../telephony/relay-settings.js';
import { disclosures } from './disclosures.js';
import type { ConversationSettings, FillerPhrases } from './engine/conversation-settings.js';
import { fillTemplate, localNow } from './prompt-template.js';

/** The last sentence and hanging up. The shortest paid time is a minute. */
const GOODBYE_SECONDS = 10;

/** What the assistant and the call's variables make of one conversation: for the line and for the engine. */
export interface ConversationPlan {
  relay: RelaySettings;
  settings: ConversationSettings;
}

interface PlanOptions {
  aiDisclosure: boolean;
  now: Date;
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
  // The customer speaks first: what must be said is said with the assistant's first sentence.
  const pending = assistant.waitForCustomer ? notices : [];
  return {
    relay: relaySettings(assistant, greeting),
    settings: conversationSettings(
      assistant,
      greeting,
      [fill(assistant.systemPrompt), ...opening(pending)].join('\n\n'),
      longest(assistant, call),
    ),
  };
}

/**
 * A call whose limit was shortened to what the balance pays is ended by the carrier at that limit: the goodbye is
 * said before.
 */
const longest = ({ maxCallDuration }: AssistantView, call: CallView): number =>
  call.maxDuration < maxCallDuration ? call.maxDuration - GOODBYE_SECONDS : maxCallDuration;

const opening = (notices: string[]): string[] =>
  notices.length > 0 ? [`Begin your first answer with exactly these words: ${notices.join(' ')}`] : [];

function filler({ name, timezone }: AssistantView, call: CallView, now: Date): (template: string) => string {
  const system = {
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    assistant_name: name,
    ...localNow(timezone, now),
  };
  return (template) => fillTemplate(template, call.variables, system);
}

function relaySettings(assistant: AssistantView, greeting: string | null): RelaySettings {
  return {
    greeting,
    language: assistant.language.tag,
    voice: { provider: assistant.voice.provider, voice: assistant.voice.providerVoice },
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
    record: assistant.recordCall,
  };
}

function conversationSettings(
  assistant: AssistantView,
  greeting: string | null,
  systemPrompt: string,
  maxDurationSeconds: number,
): ConversationSettings {
  return {
    model: assistant.llmModel,
    temperature: assistant.llmTemperature,
    systemPrompt,
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
    reengagementSeconds: assistant.reengagementInterval,
    maxSilenceSeconds: assistant.maxSilenceDuration,
    maxDurationSeconds,
    endOnVoicemail: assistant.endCallOnVoicemail,
  };
}
