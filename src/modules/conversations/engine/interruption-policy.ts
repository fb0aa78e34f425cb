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

/** Backchannels: sounds and words of a listener. In reply to a question they count as normal words. */
const BACKCHANNELS: Record<string, readonly string[]> = {
  en: [
    'uh',
    'huh',
    'uhhuh',
    'mm',
    'mmm',
    'hm',
    'hmm',
    'mhm',
    'mmhm',
    'mmhmm',
    'aha',
    'ah',
    'oh',
    'okay',
    'ok',
    'right',
    'yeah',
  ],
  de: ['mhm', 'hm', 'hmm', 'mm', 'aha', 'ah', 'ach', 'so', 'okay', 'ok', 'genau', 'ja'],
  es: ['mm', 'mmm', 'mhm', 'hm', 'ajá', 'aja', 'ah', 'ya', 'vale', 'okay', 'ok', 'claro', 'sí'],
  fr: ['mm', 'mmm', 'mhm', 'hm', 'hum', 'ah', 'okay', 'ok', 'oui', 'ouais', 'daccord', 'd', 'accord'],
  it: ['mm', 'mmm', 'mhm', 'hm', 'ah', 'aha', 'okay', 'ok', 'sì', 'certo'],
  pt: ['mm', 'mmm', 'hm', 'uhum', 'aham', 'ah', 'pois', 'okay', 'ok', 'sim', 'tá'],
  nl: ['mm', 'mmm', 'mhm', 'hm', 'hmm', 'aha', 'ah', 'oké', 'oke', 'okay', 'ok', 'ja'],
  pl: ['mm', 'mmm', 'mhm', 'yhm', 'hm', 'aha', 'ah', 'okej', 'okay', 'ok', 'no', 'tak'],
};

/** Whether a text only shows that the customer listens: "uh-huh", "okay". */
export function isBackchannel(text: string, language: string): boolean {
  const known = BACKCHANNELS[language.slice(0, 2).toLowerCase()] ?? BACKCHANNELS['en'] ?? [];
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length > 0 && words.length <= 4 && words.every((word) => known.includes(word));
}

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
