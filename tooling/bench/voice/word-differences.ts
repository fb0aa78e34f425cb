export interface WordDifferences {
  /** Words that only one side has, in their order. */
  missing: number;
  added: number;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** Compares what was said with what was stored, by the longest common sequence of words. */
export function wordDifferences(said: string, stored: string): WordDifferences {
  const [one, other] = [wordsOf(said), wordsOf(stored)];
  let previous = Array.from({ length: other.length + 1 }, () => 0);
  for (const word of one) {
    const current = [0];
    other.forEach((candidate, index) => {
      const common =
        word === candidate
          ? (previous[index] ?? 0) + 1
          : Math.max(previous[index + 1] ?? 0, current[index] ?? 0);
      current.push(common);
    });
    previous = current;
  }
  const common = previous.at(-1) ?? 0;
  return { missing: one.length - common, added: other.length - common };
}
