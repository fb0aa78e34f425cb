import type { IgnoredFields } from '#src/http/route-config.js';
import { ignoredToolParts } from './built-in-tools.js';

/**
 * Fields of an assistant that published clients document and this service does not have.
 * docs/use/clients.md lists them.
 */
export const IGNORED_ASSISTANT_FIELDS: IgnoredFields = {
  secondary_language_ids: {},
  chat_llm_fallback_id: {},
  turn_detection_threshold: {},
  tts_emotion_enabled: { default: true },
  conversation_ended_retrigger: {},
  max_silence: {},
  engine_id: {},
  synthesizer_id: {},
  transcriber_id: {},
  flows_platform_id: {},
  instance_id: { default: 1 },
  tools: { parts: ignoredToolParts },
};
