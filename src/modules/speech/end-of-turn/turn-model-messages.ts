import type { TurnAudio } from './end-of-turn-model.js';

/** To the thread. `until`: milliseconds since the epoch; a later answer is of no use. */
export interface TurnQuestion {
  id: number;
  audio: TurnAudio;
  until: number;
}

/**
 * From the thread. First `ready`, with the duration of a trial in milliseconds, or `refused`: the file is no model, for
 * a reason that follows its name. Then `answer` to each question: the probability, or null where the model failed or
 * the time was over.
 */
export type TurnMessage =
  | { kind: 'ready'; trialMs: number }
  | { kind: 'refused'; reason: string }
  | { kind: 'answer'; id: number; probability: number | null; failure?: string };
