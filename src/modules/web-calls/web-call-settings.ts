import type { AssistantView } from '../assistants/assistant-view.js';
import { notAppliedInRealtime } from '../conversations/realtime/realtime-settings.js';

/** In `settings_not_applied`: the call is held in pipeline mode, whatever the assistant's mode is. It stays there. */
export const ENGINE_TYPE = 'engine_type';

/** Settings that say how speech is heard and spoken, which the browser decides by itself. */
const OF_SPEECH = ['voice_id', 'voice_stability', 'voice_similarity', 'interrupt_sensitivity'];
const OF_HEARING = ['endpoint_type', 'endpoint_sensitivity', 'noise_cancellation'];

/** What a call in a browser has not, whatever its line is. */
const notAppliedToWebCalls = ({ recordCall, transferNumbers }: AssistantView): string[] => [
  ...(recordCall ? ['record_call'] : []),
  ...(transferNumbers.length > 0 ? ['transfer_numbers'] : []),
];

/** Names of the settings, as the API spells them, that do not apply to a text line. */
export function notAppliedToText(assistant: AssistantView): string[] {
  return [
    ...(assistant.mode === 'multimodal' ? [ENGINE_TYPE] : []),
    ...OF_SPEECH,
    ...OF_HEARING,
    ...(assistant.ambientSound === 'off' ? [] : ['ambient_sound', 'ambient_sound_volume']),
    ...notAppliedToWebCalls(assistant),
  ];
}

/** The same for an audio line with a realtime model. */
export const notAppliedToAudio = (assistant: AssistantView): string[] => [
  ...notAppliedInRealtime(assistant),
  ...notAppliedToWebCalls(assistant),
];
