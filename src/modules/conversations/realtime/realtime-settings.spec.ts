import { describe, expect, it } from '@jest/globals';
import type { AssistantView } from '../../assistants/assistant-view.js';
import { settingsNotAppliedInRealtime, realtimePlan } from './realtime-settings.js';

const ASSISTANT = {
  realtime: { model: 'gpt-realtime', voice: 'marin' },
  language: { name: 'German', tag: 'de-DE' },
  speechSpeed: 1.1,
  noiseCancellation: true,
  allowInterruptions: true,
  interruptSensitivity: 0.5,
  minInterruptWords: 2,
  endpointType: 'vad',
  endpointSensitivity: 0.5,
  ambientSound: 'off',
  ambientSoundVolume: 0.5,
} as unknown as AssistantView;

const planOf = (changes: Partial<AssistantView> = {}) => realtimePlan({ ...ASSISTANT, ...changes });

describe('realtimePlan', () => {
  it('reads voice, speed, language and rules from the assistant', () => {
    expect(planOf()).toEqual({
      model: 'gpt-realtime',
      voice: 'marin',
      speed: 1.1,
      language: 'de-DE',
      reducesNoise: true,
      turnDetection: { by: 'silence', silenceMs: 600, threshold: 0.5 },
      allowInterruptions: true,
      interruptSensitivity: 0.5,
      minInterruptWords: 2,
    });
  });

  it('is null without a realtime model', () => {
    expect(planOf({ realtime: null })).toBeNull();
  });

  it.each([
    [0, 600],
    [1.25, 1_250],
    [5, 5_000],
  ])(
    'waits for an endpoint_sensitivity of %d s through %d ms of silence',
    (endpointSensitivity, silenceMs) => {
      expect(planOf({ endpointSensitivity })?.turnDetection).toMatchObject({ silenceMs });
    },
  );

  it.each([
    [0.5, 'high'],
    [1, 'medium'],
    [2, 'low'],
  ])('maps an endpoint_sensitivity of %d to %s eagerness', (endpointSensitivity, eagerness) => {
    const turnDetection = planOf({ endpointSensitivity, endpointType: 'ai' })?.turnDetection;
    expect(turnDetection).toEqual({ by: 'meaning', eagerness });
  });

  it('requires louder speech with a higher interrupt_sensitivity', () => {
    const thresholds = [0, 0.5, 2, 5].map((interruptSensitivity) => {
      const turnDetection = planOf({ interruptSensitivity })?.turnDetection;
      return turnDetection?.by === 'silence' ? Number(turnDetection.threshold.toFixed(2)) : null;
    });
    expect(thresholds).toEqual([0.46, 0.5, 0.62, 0.85]);
  });
});

it('names the settings that a realtime model does not have', () => {
  const always = ['llm_temperature', 'voice_stability', 'voice_similarity'];
  expect(settingsNotAppliedInRealtime(ASSISTANT)).toEqual(always);
  const other = { realtime: { model: 'gpt-realtime', voice: null } };
  const names = settingsNotAppliedInRealtime({ ...ASSISTANT, ...other } as unknown as AssistantView);
  expect(names).toEqual(['voice_id', ...always]);
});
