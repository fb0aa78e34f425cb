import type { Catalog } from '../catalog/catalog.js';
import type { ToolResponse } from '../tools/dto/tool.response.js';
import type { FillerConfig, WebhookChannel } from './assistant.types.js';
import { endCallDescriptionOf, transferNumbersOf } from './built-in-tools.js';
import type { Assistant } from './entities/assistant.entity.js';
import { defaultFillers } from './filler-phrases.js';

/** Replaced by names of the catalogue, by the tools themselves, or of no use to other modules. */
type Hidden =
  | 'voiceId'
  | 'fallbackVoiceIds'
  | 'languageId'
  | 'llmModelId'
  | 'llmFallbackModelId'
  | 'writtenFillers'
  | 'useMinInterruptWords'
  | 'toolIds'
  | 'labelIds'
  | 'folderId'
  | 'builtInTools'
  | 'retention'
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt';

/**
 * An assistant with all its settings, as other modules see it. Durations are seconds; temperature, stability and
 * similarity 0–1, speed 0.7–1.2, sensitivities 0–5; `minInterruptWords` is 0 when the rule is not used. `fillerConfig`
 * are the written fillers, else those of the language; `transferNumbers` and `endCallDescription` include those of
 * built-in tools; `ringingTime` null: the installation's setting.
 */
export interface AssistantView extends Omit<Assistant, Hidden> {
  /** Null: it does not speak the language. */
  voice: { provider: string; providerVoice: string } | null;
  /** Those of `fallback_voice_ids` that speak the language, in their order. */
  fallbackVoices: { provider: string; providerVoice: string }[];
  /** `tag` is BCP 47. */
  language: { name: string; tag: string };
  /** Other languages of the voice, with their fillers. */
  otherLanguages: { tag: string; fillers: FillerConfig }[];
  /** Answers in text: for a multimodal model the one that takes its place. */
  llmModel: string;
  fallbackModel: string | null;
  /** The model that hears and speaks, by its name in the catalogue; null in pipeline mode, and without such a model. */
  realtime: { model: string; /** Null: the voice is none of the model's. */ voice: string | null } | null;
  tools: ToolResponse[];
  /** Names of the settings, as the API spells them, whose model or voice has retired: its successor is used. */
  replaced: string[];
}

/** @throws Error when the cached catalogue is older than the assistant; a later call succeeds. */
export function toAssistantView(
  assistant: Assistant,
  catalog: Catalog,
  tools: ToolResponse[],
): AssistantView {
  const {
    voiceId,
    fallbackVoiceIds,
    languageId,
    llmModelId,
    llmFallbackModelId,
    writtenFillers,
    useMinInterruptWords,
    toolIds,
    labelIds,
    folderId,
    builtInTools,
    retention,
    createdAt,
    updatedAt,
    deletedAt,
    ...settings
  } = assistant;
  const voice = catalog.currentVoice(voiceId);
  const language = catalog.language(languageId);
  const model = catalog.currentModel(llmModelId);
  const fallback = llmFallbackModelId === null ? undefined : catalog.currentModel(llmFallbackModelId);
  const text = model && (catalog.textModel(model.name) ?? model);
  if (!voice || !language || !text)
    throw new Error(`The catalogue lacks a part of assistant ${assistant.id}`);
  return {
    ...settings,
    voice: catalog.canSpeak(voice.id, languageId)
      ? { provider: voice.provider, providerVoice: voice.providerVoice }
      : null,
    fallbackVoices: fallbackVoiceIds
      .map((id) => catalog.currentVoice(id))
      .filter((one) => one !== undefined && catalog.canSpeak(one.id, languageId))
      .map((one) => ({ provider: one?.provider ?? '', providerVoice: one?.providerVoice ?? '' })),
    language: { name: language.name, tag: language.tag },
    otherLanguages: catalog.languages
      .filter(({ id }) => id !== languageId && catalog.canSpeak(voice.id, id))
      .map(({ tag }) => ({ tag, fillers: defaultFillers(tag) })),
    llmModel: text.name,
    fallbackModel: (fallback ?? catalog.fallbackOf(text.name))?.name ?? null,
    realtime:
      settings.mode === 'multimodal' && model.mode === 'multimodal'
        ? { model: model.name, voice: voice.mode === 'multimodal' ? voice.providerVoice : null }
        : null,
    endCallDescription: settings.endCallDescription ?? endCallDescriptionOf(builtInTools),
    transferNumbers: [...settings.transferNumbers, ...transferNumbersOf(builtInTools)],
    fillerConfig: writtenFillers ?? settings.fillerConfig,
    minInterruptWords: useMinInterruptWords ? settings.minInterruptWords : 0,
    tools,
    replaced: [
      ...(voice.id === voiceId ? [] : ['voice_id']),
      ...(model.id === llmModelId ? [] : ['llm_model']),
      ...(fallback === undefined || fallback.id === llmFallbackModelId ? [] : ['llm_fallback_model']),
    ],
  };
}

/** The evaluation of a conversation, by the settings of its beginning; null: it is not evaluated. */
export const evaluationPlanOf = ({
  postCallEvaluation,
  llmModel: model,
  postCallSchema: schema,
}: AssistantView): { model: string; schema: AssistantView['postCallSchema'] } | null =>
  postCallEvaluation ? { model, schema } : null;

/** What an assistant sends where; a URL that is null: the channel is off. */
export interface AssistantWebhooks {
  urls: Record<WebhookChannel, string | null>;
  sendWebhookOnlyOnCompleted: boolean;
  includeRecordingInWebhook: boolean;
}

export const toAssistantWebhooks = (
  assistant: Pick<
    Assistant,
    | 'isWebhookActive'
    | 'webhookUrl'
    | 'inboundWebhookUrl'
    | 'conversationEndedWebhookUrl'
    | 'sendWebhookOnlyOnCompleted'
    | 'includeRecordingInWebhook'
  >,
): AssistantWebhooks => ({
  urls: {
    'post-call': assistant.isWebhookActive ? assistant.webhookUrl : null,
    inbound: assistant.inboundWebhookUrl,
    conversation: assistant.conversationEndedWebhookUrl,
  },
  sendWebhookOnlyOnCompleted: assistant.sendWebhookOnlyOnCompleted,
  includeRecordingInWebhook: assistant.includeRecordingInWebhook,
});
