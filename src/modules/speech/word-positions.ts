/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Words of these scripts are found by dictionaries, which are the same for every language. */
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Start of the word or blank at this position; at most the end of the text. */
export function wordStart(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (!(at > 0)) return 0;
  if (/\s/.test(text.charAt(at))) return at;
  const start = Math.max(0, text.lastIndexOf(' ', at - 1));
  if (!UNSPACED.test(text.slice(start, at + 1))) return start;
  return start + (WORDS.segment(text.slice(start)).containing(at - start)?.index ?? 0);
}

/** Ends of the words of a text, each with the punctuation that follows it. */
export function wordEnds(text: string): number[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: run, index }) => {
    const end = index + run.length;
    if (!UNSPACED.test(run)) return [end];
    const words = [...WORDS.segment(run)].filter(({ isWordLike }) => isWordLike);
    return [...words.slice(1).map((word) => index + word.index), end];
  });
}
