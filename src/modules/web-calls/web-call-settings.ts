import type { AssistantView } from '../assistants/assistant-view.js';
import { ENGINE_TYPE_SETTING, SPEECH_PROVIDER_SETTINGS } from '../conversations/call-speech.service.js';

/** Settings of recognition and speech, which the browser decides by itself. */
const OF_SPEECH = ['voice_id', 'voice_stability', 'voice_similarity', 'interrupt_sensitivity'];
const OF_HEARING = ['endpoint_type', 'endpoint_sensitivity', 'noise_cancellation'];

/** Settings that no call in a browser supports, on any line. */
export const notAppliedToWebCalls = ({ recordCall, transferNumbers }: AssistantView): string[] => [
  ...(recordCall ? ['record_call'] : []),
  ...(transferNumbers.length > 0 ? ['transfer_numbers'] : []),
];

/** Names of the settings, as the API spells them, that do not apply to a text line; the call stays on such a one. */
export function notAppliedToText(assistant: AssistantView): string[] {
  return [
    ...(assistant.mode === 'multimodal' ? [ENGINE_TYPE_SETTING] : []),
    ...(assistant.synthesizerProviderId === null ? [] : SPEECH_PROVIDER_SETTINGS),
    ...OF_SPEECH,
    ...OF_HEARING,
    ...(assistant.ambientSound === 'off' ? [] : ['ambient_sound', 'ambient_sound_volume']),
    ...notAppliedToWebCalls(assistant),
  ];
}
