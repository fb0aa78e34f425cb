const WORD = /[\p{L}\p{N}]+/gu;
/** Letters of a stem that its words begin with, though the last one changes: `happi` is of `happy`. */
const FEWEST_SHARED = 4;
const LONGEST_ENDING = 5;

/** The words of a text that have one of the stems. */
export function wordsWith(stems: readonly string[], text: string): string[] {
  const words = new Set(text.match(WORD));
  return [...words].filter((word) => stems.some((stem) => hasStem(word.toLowerCase(), stem)));
}

function hasStem(word: string, stem: string): boolean {
  if (word.length > stem.length + LONGEST_ENDING) return false;
  const shared = stem.slice(0, -1);
  return word.startsWith(stem) || (shared.length >= FEWEST_SHARED && word.startsWith(shared));
}
