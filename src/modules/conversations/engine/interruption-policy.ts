import { packOf } from '../languages/languages.js';
import { isYesOrNo, OKAY } from '../languages/short-answers.js';
import { splitWords, toWords } from '../languages/word-lists.js';

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

/** Sounds of a listener in every language. */
const SOUNDS = 'uh huh mm mmm hm hmm mhm';
const MAX_BACKCHANNEL_WORDS = 4;

/**
 * Backchannels, of sounds and words of a listener: "uh-huh", "okay", "yes". In reply to a question they count as other
 * words.
 */
export function isBackchannel(text: string, language: string): boolean {
  const { listening, okay, yes } = packOf(language);
  const known = toWords(SOUNDS, OKAY, listening, okay, yes);
  const words = splitWords(text, language, known);
  return words.length > 0 && words.length <= MAX_BACKCHANNEL_WORDS && words.every((word) => known.has(word));
}

/** Whether words over the assistant's speech stop it. @param minWords of which; 0 counts as 1 @param language BCP 47 */
export const isInterruption = (text: string, language: string, minWords: number): boolean =>
  !isBackchannel(text, language) && countWords(text, language) >= Math.max(1, minWords);

/** Characters after a question within which words are a reply to it: a customer needs a moment to speak. */
const REPLY_CHARACTERS = 30;
const QUESTION_END = /[?？؟;\u037e]|か。/g;

/** Whether what was heard last is a question. @param language BCP 47 */
export function endsInQuestion(heard: string, language: string): boolean {
  const isGreek = language.startsWith('el');
  const last = [...heard.matchAll(QUESTION_END)].findLast(([mark]) => mark !== ';' || isGreek);
  return last !== undefined && heard.length - last.index <= REPLY_CHARACTERS;
}

/** Whether the words are a complete short answer to what was heard: "Yes, please." @param language BCP 47 */
export const isShortAnswer = (heard: string, words: string, language: string): boolean =>
  isYesOrNo(words, language) && endsInQuestion(heard, language);

/**
 * `ignore`: a backchannel such as "uh-huh". `wait`: the response follows the assistant's speech. `take`: the assistant
 * stops speaking and responds.
 */
export type InterruptionDecision = 'ignore' | 'wait' | 'take';

export interface InterruptionState {
  words: number;
  backchannel: boolean;
  assistantSpeaks: boolean;
  toolRuns: boolean;
  allowInterruptions: boolean;
  minInterruptWords: number;
}

/** Decides whether an utterance of the customer interrupts the assistant. */
export function decideInterruption(state: InterruptionState): InterruptionDecision {
  if (state.words === 0) return 'ignore';
  if (state.assistantSpeaks) {
    if (state.backchannel) return 'ignore';
    if (!state.allowInterruptions) return 'wait';
    if (state.words < state.minInterruptWords) return 'ignore';
  }
  // A running tool is not interrupted: it finishes, and the response considers the new utterance.
  return state.toolRuns ? 'wait' : 'take';
}
