import { packOf } from '../languages/languages.js';
import { OKAY } from '../languages/short-answers.js';
import { splitWords, toWords } from '../languages/word-lists.js';
import { FILLER_MOODS, type FillerMood, type FillerPhrases } from './conversation-settings.js';

/** Words at the beginning among which a yes or no is looked for. */
const MOOD_WORDS = 3;

/** Chooses fillers while the model works; never the same one twice in a row. */
export class Fillers {
  private last: string | null = null;
  private turn = 0;

  /** @param language of the customer, BCP 47 */
  constructor(
    private readonly phrases: FillerPhrases,
    private readonly language: string,
  ) {}

  /** @returns null when no phrase but the last one exists. */
  pickPhrase(heard: string): string | null {
    const [mood, ...others] = [moodOf(heard, this.language), ...FILLER_MOODS];
    const lists = [mood, ...others].map((one) => (one ? (this.phrases[one] ?? []) : []));
    const given = lists.some((list) => list.length > 0) ? lists : [this.waitingPhrases()];
    const pool = given.map((list) => this.unused(list)).find((fresh) => fresh.length > 0);
    if (!pool) return null;
    this.last = pool[this.turn++ % pool.length] ?? null;
    return this.last;
  }

  /** Of an assistant without phrases. */
  private waitingPhrases(): string[] {
    return packOf(this.language).phrases.waiting.slice(0, 1);
  }

  private unused(phrases: readonly string[]): string[] {
    return phrases.filter((phrase) => phrase.trim() !== '' && phrase !== this.last);
  }
}

/** Decided by punctuation and by a yes or no among the first words, which needs no request to the model. */
function moodOf(heard: string, language: string): FillerMood {
  if (/[?？؟]\s*$/.test(heard)) return 'question';
  const { okay, yes, no, not = '' } = packOf(language);
  const [positive, negative] = [toWords(OKAY, okay, yes), toWords(no, not)];
  const words = splitWords(heard, language, new Set([...positive, ...negative])).slice(0, MOOD_WORDS);
  if (words.some((word) => negative.has(word))) return 'negative';
  return words.some((word) => positive.has(word)) ? 'positive' : 'neutral';
}
