import type { Assistant } from './entities/assistant.entity.js';
import { WIDGET_DEFAULTS } from './widget-settings.js';

const defaults = {
  llmFallbackModelId: null,
  phoneNumberId: null,
  callerIdLookup: 'always',
  endpointType: 'vad',
  endpointSensitivity: 0.5,
  interruptSensitivity: 0.5,
  ambientSound: 'off',
  ambientSoundVolume: 0.5,
  postCallEvaluation: true,
  sendWebhookOnlyOnCompleted: true,
  includeRecordingInWebhook: true,
  isWebhookActive: false,
  webhookUrl: null,
  inboundWebhookUrl: null,
  conversationEndedWebhookUrl: null,
  conversationInactivityTimeout: 10,
  retention: null,
  useMinInterruptWords: false,
  minInterruptWords: 0,
  variables: {},
  postCallSchema: [
    { name: 'status', type: 'bool', description: 'Whether the call reached its goal.' },
    { name: 'summary', type: 'string', description: 'Summary of the call in a few sentences.' },
  ],
  endCallDescription: null,
  llmTemperature: 0.1,
  voiceStability: 0.7,
  voiceSimilarity: 0.5,
  speechSpeed: 1,
  allowInterruptions: true,
  fillerAudios: false,
  writtenFillers: null,
  reengagementInterval: 30,
  reengagementPrompt: null,
  ringingTime: null,
  maxCallDuration: 600,
  maxSilenceDuration: 40,
  maxInitialSilenceDuration: null,
  endCallOnVoicemail: true,
  voiceMailMessage: null,
  transferNumbers: [],
  builtInTools: [],
  folderId: null,
  knowledgebaseId: null,
  knowledgebaseMode: 'function_call',
  noiseCancellation: true,
  recordCall: false,
  waitForCustomer: false,
  widgetSettings: WIDGET_DEFAULTS,
  fallbackVoiceIds: [],
  synthesizerProviderId: null,
  transcriberProviderId: null,
  status: 'active',
} satisfies Partial<Assistant>;

/**
 * Defaults of a new assistant, by column. The column of a field that a creation does not require stands here, else the
 * table of settings does not compile.
 */
export const ASSISTANT_DEFAULTS: Pick<Assistant, keyof typeof defaults> = defaults;
