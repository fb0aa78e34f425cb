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

const mayBePlaying = ({ role, interrupted, timings }: Turn): boolean =>
  role === 'assistant' && !interrupted && timings['played'] === undefined;

/**
 * What was heard of turns whose process died while they were played: what was sent is played until the session ends,
 * and then the carrier asks for the next document.
 *
 * @returns one entry for each turn that is shorter than stored
 */
export function unheardEnds(
  turns: readonly Turn[],
  { speechSpeed, documentAt }: { speechSpeed: number; documentAt: number },
): { seq: number; heard: string }[] {
  return turns
    .filter(mayBePlaying)
    .map(({ seq, text, timings }) => {
      const { textFirst = 0, playing = textFirst } = timings;
      return { seq, text, heard: heardWithin(text, documentAt - playing, msPerCharacter(speechSpeed)) };
    })
    .filter(({ text, heard }) => heard !== text)
    .map(({ seq, heard }) => ({ seq, heard }));
}

/** What a session that goes on may still be playing: everything since the customer's last words. */
export function stillPlaying(turns: readonly Turn[]): Turn[] {
  const last = turns.findLastIndex(({ role }) => role === 'customer');
  return turns.slice(last + 1).filter(mayBePlaying);
}

/** Whether the last answer was sent in full. */
export function isAnswered(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  return last?.role === 'assistant' && !last.interrupted && last.timings['textLast'] !== undefined;
}
