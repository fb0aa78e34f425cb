import type { Turn } from '../calls/call.view.js';
import { heardWithin, msPerCharacter } from './engine/speech.js';

/** Whether the greeting reached the customer: it was played to its end, or answered. */
export const greetingHeard = (turns: readonly Turn[]): boolean =>
  turns.some(({ role, timings }) => role === 'customer' || timings['played'] !== undefined);

/**
 * Whether turns were stored since the carrier got its last answer document: then its session goes on over a second
 * socket, and what it was sent is played to the end.
 */
export const isSameSession = (turns: readonly Turn[], documentAt: number): boolean =>
  turns.some(({ timings }) => (timings['prompt'] ?? timings['textFirst'] ?? 0) >= documentAt);

/**
 * What was heard of turns whose process died while they were played: as much as was played when it last said so.
 *
 * @returns one entry for each turn that is shorter than stored
 */
export function unheardEnds(turns: readonly Turn[], speechSpeed: number): { seq: number; heard: string }[] {
  return turns
    .filter(({ role, interrupted, timings }) => {
      return role === 'assistant' && !interrupted && timings['played'] === undefined;
    })
    .map(({ seq, text, timings }) => {
      const { textFirst = 0, playing = textFirst } = timings;
      return { seq, text, heard: heardWithin(text, playing - textFirst, msPerCharacter(speechSpeed)) };
    })
    .filter(({ text, heard }) => heard !== text)
    .map(({ seq, heard }) => ({ seq, heard }));
}
