import type { FirstSpeaker } from './assistant.types.js';
import type { Assistant } from './entities/assistant.entity.js';

export const DEFAULT_FIRST_SPEAKER: FirstSpeaker = 'AI assistant';

/** What a new assistant is where its request says nothing. */
export const ASSISTANT_DEFAULTS = {
  status: 'active',
  phoneNumberId: null,
  variables: {},
  postCallEvaluation: true,
  postCallSchema: [
    { name: 'status', type: 'bool', description: 'Whether the call reached its goal.' },
    { name: 'summary', type: 'string', description: 'Summary of the call in a few sentences.' },
  ],
  endCallDescription: null,
  isWebhookActive: false,
  webhookUrl: null,
  inboundWebhookUrl: null,
  sendWebhookOnlyOnCompleted: true,
  includeRecordingInWebhook: true,
  llmTemperature: 0.1,
  voiceStability: 0.7,
  voiceSimilarity: 0.5,
  speechSpeed: 1,
  allowInterruptions: true,
  fillerAudios: false,
  recordCall: false,
  noiseCancellation: true,
  waitForCustomer: false,
  maxCallDuration: 600,
  maxSilenceDuration: 40,
  reengagementInterval: 30,
  endCallOnVoicemail: true,
  endpointType: 'vad',
  endpointSensitivity: 0.5,
  interruptSensitivity: 0.5,
  useMinInterruptWords: false,
  minInterruptWords: 0,
  ambientSound: 'off',
  ambientSoundVolume: 0.5,
  widgetSettings: { theme: 'light', color: '#2563eb', position: 'bottom-right' },
} satisfies Partial<Assistant>;
