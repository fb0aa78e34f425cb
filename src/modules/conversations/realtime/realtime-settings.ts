import type { AssistantView } from '../../assistants/assistant-view.js';
import type { AudioFormat } from '#src/modules/media/audio-line.js';
import type { RealtimeSettings, TurnDetection } from '../../speech/realtime-model.js';
import type { InterruptionRules } from './barge-in-detector.js';

const SILENCE_MIN_MS = 600;
const SILENCE_MAX_MS = 5_000;
/** The provider's default, for the default of `interrupt_sensitivity`; more than 0.85 misses quiet speakers. */
const THRESHOLD = 0.5;
const THRESHOLD_PER_SECOND = 0.08;
const THRESHOLD_MAX = 0.85;
const DEFAULT_SENSITIVITY = 0.5;

/** Speech settings of a multimodal conversation, without the format of the line. */
export type RealtimePlan = Omit<RealtimeSettings, 'format'> & InterruptionRules;

/** Null for an assistant without a realtime model. */
export function realtimePlan(assistant: AssistantView): RealtimePlan | null {
  const { realtime, language, speechSpeed, noiseCancellation } = assistant;
  const { allowInterruptions, interruptSensitivity, minInterruptWords } = assistant;
  return (
    realtime && {
      ...realtime,
      speed: speechSpeed,
      language: language.tag,
      reducesNoise: noiseCancellation,
      turnDetection: turnDetection(assistant),
      allowInterruptions,
      interruptSensitivity,
      minInterruptWords,
    }
  );
}

/** The settings of a session over a line of this format. */
export function sessionSettings(plan: RealtimePlan, format: AudioFormat): RealtimeSettings {
  const { model, voice, speed, language, reducesNoise } = plan;
  return { model, format, voice, speed, language, reducesNoise, turnDetection: plan.turnDetection };
}

/** API names of the settings that a realtime model does not support. */
export function settingsNotAppliedInRealtime(assistant: AssistantView): string[] {
  const names = ['llm_temperature', 'voice_stability', 'voice_similarity'];
  if (assistant.realtime?.voice === null) names.unshift('voice_id');
  return names;
}

function turnDetection({
  endpointType,
  endpointSensitivity,
  interruptSensitivity,
}: AssistantView): TurnDetection {
  if (endpointType === 'ai') return { by: 'meaning', eagerness: eagerness(endpointSensitivity) };
  const silenceMs = Math.round(
    Math.min(SILENCE_MAX_MS, Math.max(SILENCE_MIN_MS, endpointSensitivity * 1000)),
  );
  const threshold = THRESHOLD + (interruptSensitivity - DEFAULT_SENSITIVITY) * THRESHOLD_PER_SECOND;
  return { by: 'silence', silenceMs, threshold: Math.min(THRESHOLD_MAX, threshold) };
}

/** A slow speaker is given more time. */
function eagerness(seconds: number): 'low' | 'medium' | 'high' {
  if (seconds <= 0.5) return 'high';
  return seconds < 2 ? 'medium' : 'low';
}
