import type { AssistantMode } from '../catalog/catalog.types.js';
import type { Catalog } from '../catalog/catalog.js';
import type { ToolResponse } from '../tools/dto/tool.response.js';
import type {
  AssistantStatus,
  AssistantType,
  EndpointType,
  FillerConfig,
  PostCallField,
} from './assistant.types.js';
import type { Assistant } from './entities/assistant.entity.js';

/** An assistant as other modules see it. */
export interface AssistantView {
  id: number;
  accountId: number;
  name: string;
  type: AssistantType;
  mode: AssistantMode;
  status: AssistantStatus;
  phoneNumberId: number | null;
  voice: { provider: string; providerVoice: string };
  /** `tag` is BCP 47. */
  language: { name: string; tag: string };
  llmModel: string;
  timezone: string;
  initialMessage: string;
  systemPrompt: string;
  variables: Record<string, unknown>;
  postCallEvaluation: boolean;
  postCallSchema: PostCallField[];
  endCallDescription: string | null;
  isWebhookActive: boolean;
  webhookUrl: string | null;
  inboundWebhookUrl: string | null;
  sendWebhookOnlyOnCompleted: boolean;
  includeRecordingInWebhook: boolean;
  /** 0–1, as stability and similarity. */
  llmTemperature: number;
  voiceStability: number;
  voiceSimilarity: number;
  /** 0.7–1.2 */
  speechSpeed: number;
  allowInterruptions: boolean;
  fillerAudios: boolean;
  fillerConfig: FillerConfig;
  recordCall: boolean;
  noiseCancellation: boolean;
  waitForCustomer: boolean;
  /** Seconds, as the two after it. */
  maxCallDuration: number;
  maxSilenceDuration: number;
  reengagementInterval: number;
  endCallOnVoicemail: boolean;
  endpointType: EndpointType;
  /** 0–5, as the next. */
  endpointSensitivity: number;
  interruptSensitivity: number;
  /** 0–10; 0 when the rule is not used. */
  minInterruptWords: number;
  ambientSound: string;
  tools: ToolResponse[];
}

/** @throws Error when the cached catalogue is older than the assistant; a later call succeeds. */
export function toAssistantView(
  assistant: Assistant,
  catalog: Catalog,
  tools: ToolResponse[],
): AssistantView {
  const { voiceId, languageId, llmModelId, useMinInterruptWords, minInterruptWords } = assistant;
  const voice = catalog.voice(voiceId);
  const language = catalog.language(languageId);
  const model = catalog.model(llmModelId);
  if (!voice || !language || !model)
    throw new Error(`The catalogue lacks a part of assistant ${assistant.id}`);
  return {
    id: assistant.id,
    accountId: assistant.accountId,
    name: assistant.name,
    type: assistant.type,
    mode: assistant.mode,
    status: assistant.status,
    phoneNumberId: assistant.phoneNumberId,
    voice: { provider: voice.provider, providerVoice: voice.providerVoice },
    language: { name: language.name, tag: language.tag },
    llmModel: model.name,
    timezone: assistant.timezone,
    initialMessage: assistant.initialMessage,
    systemPrompt: assistant.systemPrompt,
    variables: assistant.variables,
    postCallEvaluation: assistant.postCallEvaluation,
    postCallSchema: assistant.postCallSchema,
    endCallDescription: assistant.endCallDescription,
    isWebhookActive: assistant.isWebhookActive,
    webhookUrl: assistant.webhookUrl,
    inboundWebhookUrl: assistant.inboundWebhookUrl,
    sendWebhookOnlyOnCompleted: assistant.sendWebhookOnlyOnCompleted,
    includeRecordingInWebhook: assistant.includeRecordingInWebhook,
    llmTemperature: assistant.llmTemperature,
    voiceStability: assistant.voiceStability,
    voiceSimilarity: assistant.voiceSimilarity,
    speechSpeed: assistant.speechSpeed,
    allowInterruptions: assistant.allowInterruptions,
    fillerAudios: assistant.fillerAudios,
    fillerConfig: assistant.fillerConfig,
    recordCall: assistant.recordCall,
    noiseCancellation: assistant.noiseCancellation,
    waitForCustomer: assistant.waitForCustomer,
    maxCallDuration: assistant.maxCallDuration,
    maxSilenceDuration: assistant.maxSilenceDuration,
    reengagementInterval: assistant.reengagementInterval,
    endCallOnVoicemail: assistant.endCallOnVoicemail,
    endpointType: assistant.endpointType,
    endpointSensitivity: assistant.endpointSensitivity,
    interruptSensitivity: assistant.interruptSensitivity,
    minInterruptWords: useMinInterruptWords ? minInterruptWords : 0,
    ambientSound: assistant.ambientSound,
    tools,
  };
}
