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
