import type { Line } from './line.js';

export const THINK_MS = 800;
/** After this many pieces a polite callee responds anyway. */
const MAX_PIECES = 8;
/** Fillers, and legal notices before a response. */
const NO_ANSWER =
  /\b(moment|second|minute|hold on|bear with me|let me|checking|looking|automated assistant)\b/i;
const GOODBYE = /\b(good ?bye|bye|nice day|good day|take care)\b/i;

/**
 * Listens until the assistant has finished: a filler ("One moment, please.") or a notice alone is no response, and a
 * polite callee does not interrupt. Null without speech.
 */
export async function hearOut(line: Line): Promise<string | null> {
  let heard = await line.listen();
  for (let pieces = 1; heard !== null && pieces < MAX_PIECES; pieces++) {
    await line.wait(THINK_MS);
    if (!line.hasMoreToHear() && !isFiller(heard)) return heard;
    const more = await line.listen();
    if (more === null) return heard;
    heard = isFiller(heard) ? more : `${heard} ${more}`;
  }
  return heard;
}

export function isGoodbye(text: string): boolean {
  return GOODBYE.test(text);
}

/** A filler, a notice alone, or too short for a response: "Hmm, I see." */
export function isFiller(text: string): boolean {
  if (text.includes('?') || isGoodbye(text)) return false;
  const words = text.split(/\s+/).length;
  return words <= 3 || (words <= 10 && NO_ANSWER.test(text));
}

/** Says goodbye and leaves the other side time to do the same and to hang up first. */
export async function partWith(line: Line, words: string): Promise<void> {
  await line.say(words);
  await line.listen();
  await line.listen();
}
