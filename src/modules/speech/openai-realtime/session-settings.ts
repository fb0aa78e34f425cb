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

/** For the transcript of the customer's speech; the realtime model itself receives the audio. */
const DEFAULT_TRANSCRIPTION_MODEL = 'gpt-transcribe';
/** About three minutes of speech. */
const MAX_OUTPUT_TOKENS = 4_096;
/** Range of the speed in the interface. */
const SPEED_MIN = 0.25;
const SPEED_MAX = 1.5;

/** Options of a realtime model of the catalogue. */
export interface SessionModelOptions {
  /** Null for models that do not reason. */
  reasoningEffort: ReasoningEffort | null;
  /** Transcribes the customer's speech; null: the default. */
  transcriptionModel: string | null;
}

/** Without a temperature: the generally available interface rejects it. */
export function toSession(
  settings: RealtimeSettings,
  { reasoningEffort, transcriptionModel }: SessionModelOptions,
): RealtimeSessionCreateRequest {
  const format = toFormat(settings.format);
  const type = settings.format === 'pcmu-8000' ? 'far_field' : 'near_field';
  return {
    type: 'realtime',
    output_modalities: ['audio'],
    max_output_tokens: MAX_OUTPUT_TOKENS,
    // Only reasoning models accept these.
    ...(reasoningEffort !== null && {
      reasoning: { effort: reasoningEffort as NonNullable<RealtimeReasoning['effort']> },
      parallel_tool_calls: true,
    }),
    audio: {
      input: {
        format,
        transcription: toTranscription(settings.language, transcriptionModel),
        turn_detection: toTurnDetection(settings.turnDetection),
        // The package's type lacks null, which turns it off.
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
  const name = model ?? DEFAULT_TRANSCRIPTION_MODEL;
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

/** The provider only reports speech: turn-taking is decided here. */
export function toTurnDetection(detection: TurnDetection): RealtimeAudioInputTurnDetection {
  const noAutomaticResponse = { create_response: false, interrupt_response: false };
  if (detection.by === 'meaning')
    return { type: 'semantic_vad', eagerness: detection.eagerness, ...noAutomaticResponse };
  const { silenceMs: silence_duration_ms, threshold } = detection;
  return { type: 'server_vad', silence_duration_ms, threshold, ...noAutomaticResponse };
}
