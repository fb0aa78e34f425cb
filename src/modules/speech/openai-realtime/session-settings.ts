import type {
  RealtimeAudioFormats,
  RealtimeAudioInputTurnDetection,
  RealtimeFunctionTool,
  RealtimeReasoning,
  RealtimeSessionCreateRequest,
} from 'openai/resources/realtime/realtime';
import type { ReasoningEffort } from '../../catalog/catalog.types.js';
import type { ModelTool } from '../../llm/language-model.js';
import type { AudioFormat } from '#src/modules/media/audio-line.js';
import { languageHint } from '../language-hint.js';
import type { RealtimeSettings, TurnDetection } from '../realtime-model.js';

/** Transcribes what the customer says, where the catalogue names none; the realtime model itself hears the audio. */
const TRANSCRIPTION_MODEL = 'gpt-transcribe';
/** The most that a response may have; about three minutes of speech. */
const MAX_OUTPUT_TOKENS = 4_096;
/** Of the speed that the interface takes. */
const SPEED_MIN = 0.25;
const SPEED_MAX = 1.5;

/** How a realtime model of the catalogue is asked. */
export interface SessionModel {
  /** Null for models that do not reason. */
  reasoningEffort: ReasoningEffort | null;
  /** Writes down what the customer says; null: the default. */
  transcriptionModel: string | null;
}

/** No temperature: the generally available interface refuses one. */
export function toSession(
  settings: RealtimeSettings,
  { reasoningEffort, transcriptionModel }: SessionModel,
): RealtimeSessionCreateRequest {
  const format = toFormat(settings.format);
  const type = settings.format === 'pcmu-8000' ? 'far_field' : 'near_field';
  return {
    type: 'realtime',
    output_modalities: ['audio'],
    max_output_tokens: MAX_OUTPUT_TOKENS,
    // Only models that reason take these.
    ...(reasoningEffort !== null && {
      reasoning: { effort: reasoningEffort as NonNullable<RealtimeReasoning['effort']> },
      parallel_tool_calls: true,
    }),
    audio: {
      input: {
        format,
        transcription: toTranscription(settings.language, transcriptionModel),
        turn_detection: toTurnDetection(settings.turnDetection),
        // The type of the package leaves out the null with which it is turned off.
        noise_reduction: (settings.reducesNoise ? { type } : null) as { type: typeof type },
      },
      output: {
        format,
        speed: Math.min(SPEED_MAX, Math.max(SPEED_MIN, settings.speed)),
        ...(settings.voice !== null && { voice: settings.voice }),
      },
    },
  };
}

/** @param language BCP 47 */
export const toTranscription = (language: string, model: string | null) => {
  const name = model ?? TRANSCRIPTION_MODEL;
  return { model: name, ...languageHint(name, language) };
};

export const toTool = ({ name, description, parameters }: ModelTool): RealtimeFunctionTool => ({
  type: 'function',
  name,
  description,
  parameters,
});

const toFormat = (format: AudioFormat): RealtimeAudioFormats =>
  format === 'pcmu-8000' ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: 24_000 };

/** The provider only tells of speech: who may speak when is decided here. */
function toTurnDetection(detection: TurnDetection): RealtimeAudioInputTurnDetection {
  const ours = { create_response: false, interrupt_response: false };
  if (detection.by === 'meaning') return { type: 'semantic_vad', eagerness: detection.eagerness, ...ours };
  const { silenceMs: silence_duration_ms, threshold } = detection;
  return { type: 'server_vad', silence_duration_ms, threshold, ...ours };
}
