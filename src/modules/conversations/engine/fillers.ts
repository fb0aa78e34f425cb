import { ALL_PACKS } from '../languages/languages.js';
import { toWords } from '../languages/word-lists.js';
import { FILLER_MOODS, type FillerMood, type FillerPhrases } from './conversation-settings.js';

const YES = toWords(...ALL_PACKS.map(({ yes }) => yes), 'great ok okay');
const NO = toWords(...ALL_PACKS.flatMap(({ no, not = '' }) => [no, not]));

/** Chooses fillers while the model works; never the same one twice in a row. */
export class Fillers {
  private last: string | null = null;
  private turn = 0;

  constructor(private readonly phrases: FillerPhrases) {}

  /** @returns null when no phrase but the last one exists. */
  pickPhrase(heard: string): string | null {
    const [mood, ...others] = [moodOf(heard), ...FILLER_MOODS];
    const pool = [mood, ...others].map((one) => this.unusedPhrases(one)).find((fresh) => fresh.length > 0);
    if (!pool) return null;
    this.last = pool[this.turn++ % pool.length] ?? null;
    return this.last;
  }

  private unusedPhrases(mood: FillerMood | undefined): string[] {
    const phrases = mood ? (this.phrases[mood] ?? []) : [];
    return phrases.filter((phrase) => phrase.trim() !== '' && phrase !== this.last);
  }
}

/** Decided by punctuation and by a yes or no among the first words, which needs no request to the model. */
function moodOf(heard: string): FillerMood {
  if (/[?？]\s*$/.test(heard)) return 'question';
  const words =
    heard
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.slice(0, 3) ?? [];
  if (words.some((word) => NO.has(word))) return 'negative';
  return words.some((word) => YES.has(word)) ? 'positive' : 'neutral';
}
