const segmenters = new Map<string, Intl.Segmenter>();

/** One for each language: making one costs more than any use of it. */
function segmenter(language: string): Intl.Segmenter {
  let found = segmenters.get(language);
  if (!found) segmenters.set(language, (found = new Intl.Segmenter(language, { granularity: 'word' })));
  return found;
}

/** Counts words also where a language writes none apart (Chinese, Japanese, Thai). */
export function countWords(text: string, language: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter(language).segment(text)) if (isWordLike) words += 1;
  return words;
}

/**
 * `ignore`: a sound of listening, not a turn. `wait`: heard, answered when the floor is free. `take`: the
 * assistant falls silent and answers.
 */
export type Floor = 'ignore' | 'wait' | 'take';

export interface FloorState {
  words: number;
  assistantSpeaks: boolean;
  toolRuns: boolean;
  allowInterruptions: boolean;
  minInterruptWords: number;
}

/** Who has the floor after the customer said something. */
export function interruptionDecision(state: FloorState): Floor {
  if (state.words === 0) return 'ignore';
  if (state.assistantSpeaks) {
    if (!state.allowInterruptions) return 'wait';
    if (state.words < state.minInterruptWords) return 'ignore';
  }
  // What a tool does may not be undone by a word: it finishes, and the answer takes the word into account.
  return state.toolRuns ? 'wait' : 'take';
}
