export interface WordDifferences {
  /** Words that only one side has, in their order. */
  missing: number;
  added: number;
}

/** A word with an ellipsis was cut, perhaps at its end. */
const WORDS = /[\p{L}\p{N}']+…?/gu;

/** Compares what was said with what was stored, by the longest common sequence of words. */
export function wordDifferences(said: string, stored: string): WordDifferences {
  const [one, other] = [wordsOf(said), wordsOf(stored)];
  let previous = Array.from({ length: other.length + 1 }, () => 0);
  for (const word of one) {
    const whole = word.replace('…', '');
    const current = [0];
    other.forEach((candidate, index) => {
      const common =
        whole === candidate
          ? (previous[index] ?? 0) + 1
          : Math.max(previous[index + 1] ?? 0, current[index] ?? 0);
      current.push(common);
    });
    previous = current;
  }
  const common = previous.at(-1) ?? 0;
  const cut = one.filter((word) => word.endsWith('…')).length;
  return { missing: Math.max(0, one.length - common - cut), added: other.length - common };
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORDS) ?? [];
