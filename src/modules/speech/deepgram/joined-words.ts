/** Words that the two may have in common: of about 4 s of speech. */
const MAX_COMMON = 12;

const lettersOf = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * The words of a turn whose audio two streams have transcribed.
 *
 * @param later may begin with words at the end of `earlier`, and within the first of them
 */
export function joinedWords(earlier: string, later: string): string {
  const ends = earlier.split(' ').slice(-MAX_COMMON);
  const rest = later.split(' ');
  const [known, begun] = [ends.map(lettersOf), rest.map(lettersOf)];
  const isCommon = (count: number): boolean =>
    known
      .slice(-count)
      .every((word, at) => (at === 0 ? word.endsWith(begun[at] ?? ' ') : word === begun[at]) && word !== '');
  const counts = Array.from({ length: Math.min(ends.length, rest.length) }, (_, at) => at + 1);
  const common = counts.findLast(isCommon) ?? 0;
  return [earlier, ...rest.slice(common)].join(' ').trim();
}
