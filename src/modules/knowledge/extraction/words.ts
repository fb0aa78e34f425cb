/** Characters of a run without blanks from which it is no word of any language, but data. */
const MAX_WORD_LENGTH = 500;

/** More than in the words of any language on average, with the blank. */
const CHARACTERS_PER_WORD = 12;

/** Scripts without blanks between words: two characters are about one word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const RUN = /\S+/g;

/** A fixed language: the same text has the same chunks on every machine. */
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Long runs count as several: a chunk of numbers or data is as long as one of words. */
export function countWords(text: string): number {
  const runs = text.match(RUN)?.length ?? 0;
  const unspaced = Math.ceil((text.match(UNSPACED)?.length ?? 0) / 2);
  return runs === 0 ? 0 : Math.max(runs, unspaced, Math.ceil(text.length / CHARACTERS_PER_WORD));
}

/** Line breaks inside a sentence are those of its layout. */
export function sentencesOf(text: string): string[] {
  const flat = text.replace(/\s+/g, ' ');
  return [...SENTENCES.segment(flat)].map(({ segment }) => segment.trim()).filter((part) => part !== '');
}

/** A sentence in parts of at most `limit` words. No word is divided, except runs of data. */
export function wordGroups(sentence: string, limit: number): string[] {
  if (countWords(sentence) <= limit && sentence.length <= MAX_WORD_LENGTH) return [sentence];
  const groups: string[] = [];
  let group = '';
  let size = 0;
  for (const part of partsOf(sentence)) {
    const words = countWords(part);
    if (size + words > limit && group.trim() !== '') {
      groups.push(group.trim());
      group = '';
      size = 0;
    }
    group += part;
    size += words;
  }
  if (group.trim() !== '') groups.push(group.trim());
  return groups;
}

/** Words with the blanks after them; of scripts without blanks, as the dictionary divides them. */
function partsOf(sentence: string): string[] {
  return (sentence.match(/\S+\s*/g) ?? []).flatMap((run) => {
    if (run.length <= 20 || !run.match(UNSPACED)) return slices(run);
    return [...WORDS.segment(run)].flatMap(({ segment }) => slices(segment));
  });
}

function slices(run: string): string[] {
  if (run.length <= MAX_WORD_LENGTH) return [run];
  const characters = [...run];
  const count = Math.ceil(characters.length / MAX_WORD_LENGTH);
  return Array.from({ length: count }, (_, index) => {
    const slice = characters.slice(index * MAX_WORD_LENGTH, (index + 1) * MAX_WORD_LENGTH).join('');
    return index < count - 1 ? `${slice} ` : slice;
  });
}
