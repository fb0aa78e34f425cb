const segmenters = new Map<string, Intl.Segmenter>();

/** Cached by language: creating a segmenter is expensive. */
function segmenter(language: string): Intl.Segmenter {
  let found = segmenters.get(language);
  if (!found) segmenters.set(language, (found = new Intl.Segmenter(language, { granularity: 'word' })));
  return found;
}

/** Counts words, also in languages without spaces between words (Chinese, Japanese, Thai). */
export function countWords(text: string, language: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter(language).segment(text)) if (isWordLike) words += 1;
  return words;
}

/**
 * `ignore`: a backchannel such as "uh-huh". `wait`: answered after the assistant's speech. `take`: the assistant stops
 * speaking and answers.
 */
export type Floor = 'ignore' | 'wait' | 'take';

export interface FloorState {
  words: number;
  assistantSpeaks: boolean;
  toolRuns: boolean;
  allowInterruptions: boolean;
  minInterruptWords: number;
}

/** Decides what an utterance of the customer interrupts. */
export function interruptionDecision(state: FloorState): Floor {
  if (state.words === 0) return 'ignore';
  if (state.assistantSpeaks) {
    if (!state.allowInterruptions) return 'wait';
    if (state.words < state.minInterruptWords) return 'ignore';
  }
  // A running tool is not interrupted: it finishes, and the answer considers the new utterance.
  return state.toolRuns ? 'wait' : 'take';
}
