import { ChoiceEnv, ModelEndpointsEnv, TextEnv } from './env-fields.js';
import type { ModelEndpointSettings } from './env.dto.js';

const VOICE_DETECTION = ['model', 'energy'] as const;

export class SpeechEnv {
  @ModelEndpointsEnv({
    name: 'SPEECH_ENDPOINTS',
    example: '{"deepgram":{"base_url":"https://api.deepgram.com/v1","api_key":"your-key"}}',
    unset: 'none',
    description: 'Endpoints of speech providers by name, as JSON; a provider of the catalogue names its own',
  })
  endpoints: Record<string, ModelEndpointSettings> = {};

  @ChoiceEnv({
    name: 'VOICE_DETECTION',
    values: VOICE_DETECTION,
    example: 'energy',
    unset: '`model`; `energy` with the sandbox, whose speech is tones',
    description:
      'How voices are told from silence on audio lines: `model` (optional packages, which `npm ci` installs), or `energy`',
  })
  voiceDetection: (typeof VOICE_DETECTION)[number] | null = null;

  @TextEnv({
    name: 'TURN_MODEL',
    example: '/etc/calls/turn-model.onnx',
    unset: 'none: pauses and words end turns',
    description:
      'File of a model (ONNX) that tells from the audio whether the customer has finished; turn-model.md has its form',
  })
  turnModel: string | null = null;
}
