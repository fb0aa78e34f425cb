import { createHash } from 'node:crypto';
import { askedIn } from '../model-name.js';

const SHORTEST_MS = 300;
const LONGEST_MS = 1_500;

const hashOf = (words: string): Buffer => createHash('sha256').update(words).digest();

/**
 * Between the end of an utterance and its words, as recognisers take: always the same for the same words. A model with
 * `+late` in its name takes the longest.
 */
export function recognitionMs(words: string, model = ''): number {
  const [first = 0] = hashOf(words);
  return interimMs(model, SHORTEST_MS + Math.round((first * (LONGEST_MS - SHORTEST_MS)) / 255));
}

/** Between the audio and its interim words. @param usualMs of a model without `+late` in its name */
export const interimMs = (model: string, usualMs = SHORTEST_MS): number =>
  askedIn(model, ['late']) ? LONGEST_MS : usualMs;

/** Whether a model with `+loses-words` in its name understands none of these words: one utterance of three. */
export const isLost = (words: string, model: string): boolean =>
  askedIn(model, ['loses-words']) !== null && (hashOf(words)[1] ?? 0) % 3 === 0;

/** With one space between words. */
export const spaced = (words: string): string => words.trim().replace(/\s+/g, ' ');

/** Letters and digits that sound like each other, in pairs. */
const SIMILAR = 'bpdtgkmnszfvlraoeiuywhcqjx1759382640';

/**
 * What a recogniser takes unfinished speech for: its whole words. The last one of every second text is another, similar
 * one, always the same for the same text.
 *
 * @param silentMs since the last sound of the speech
 */
export function interimOf(speech: string, silentMs: number): string {
  const isWhole = silentMs > 0 || /[\s.,!?]$/.test(speech);
  const words = spaced(isWhole ? speech : speech.slice(0, speech.lastIndexOf(' ') + 1));
  const isMisheard = (hashOf(words)[2] ?? 0) % 2 === 0;
  return isMisheard ? words.replace(/\S+$/, (word) => word.replace(/[a-z0-9]/i, similarTo)) : words;
}

function similarTo(letter: string): string {
  const at = SIMILAR.indexOf(letter.toLowerCase());
  const other = SIMILAR[at ^ 1] ?? letter;
  return letter === letter.toLowerCase() ? other : other.toUpperCase();
}
