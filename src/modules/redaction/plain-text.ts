const DIGIT = /\p{Nd}/u;
const UNUSUAL = /(?!\d)\p{Nd}|(?!-)[\p{Pd}\u2212]/gu;

/** The text with the digits of all scripts as 0-9 and all hyphens as "-"; each place stays. */
export const toPlainText = (text: string): string =>
  text.replace(UNUSUAL, (found) => {
    if (!DIGIT.test(found)) return '-'.repeat(found.length);
    // A character of two units is filled up with a sign that joins digits.
    return String(digitOf(found)).padEnd(found.length, '\u200b');
  });

/** The ten digits of a script follow each other, and scripts only in whole tens. */
function digitOf(found: string): number {
  const code = found.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/** The end of the character that a place in the text may divide. */
export const wholeEnd = (text: string, end: number): number =>
  /[\uD800-\uDBFF]$/.test(text.charAt(end - 1)) ? end + 1 : end;
