/** A list of a pack, as a set. */
export const toWords = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.join(' ').split(' ').filter(Boolean));

/** Languages that are written without spaces. */
const WITHOUT_SPACES = /^(?:zh|ja)\b/i;

/**
 * The words of a text in lower case. Where there are no spaces, the known words in it, and what is between them.
 *
 * @param language BCP 47
 */
export function splitWords(text: string, language: string, known: ReadonlySet<string>): string[] {
  const words = text.toLocaleLowerCase(language).match(/[\p{L}\p{M}]+/gu) ?? [];
  return WITHOUT_SPACES.test(language) ? words.flatMap((word) => splitAtKnown(word, known)) : words;
}

/** The longest known words come first. */
function splitAtKnown(text: string, known: ReadonlySet<string>): string[] {
  const parts: string[] = [];
  let unknown = '';
  const endUnknown = (): void => {
    if (unknown !== '') parts.push(unknown);
    unknown = '';
  };
  for (let at = 0; at < text.length;) {
    const found = longestKnown(text.slice(at), known);
    if (found === '') unknown += text.charAt(at);
    else {
      endUnknown();
      parts.push(found);
    }
    at += found.length || 1;
  }
  endUnknown();
  return parts;
}

function longestKnown(text: string, known: ReadonlySet<string>): string {
  let longest = '';
  for (const word of known) if (word.length > longest.length && text.startsWith(word)) longest = word;
  return longest;
}
