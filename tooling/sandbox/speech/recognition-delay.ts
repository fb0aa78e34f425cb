import { createHash } from 'node:crypto';
import { askedIn } from '../model-name.js';

const SHORTEST_MS = 300;
const LONGEST_MS = 1_500;

/**
 * Between the end of an utterance and its words, as recognisers take: always the same for the same words. A model with
 * `+late` in its name takes the longest.
 */
export function recognitionMs(words: string, model = ''): number {
  if (askedIn(model, ['late'])) return LONGEST_MS;
  const [first = 0] = createHash('sha256').update(words).digest();
  return SHORTEST_MS + Math.round((first * (LONGEST_MS - SHORTEST_MS)) / 255);
}

/** Whether a model with `+loses-words` in its name understands none of these words: one utterance of three. */
export const isLost = (words: string, model: string): boolean =>
  askedIn(model, ['loses-words']) !== null && (createHash('sha256').update(words).digest()[1] ?? 0) % 3 === 0;
