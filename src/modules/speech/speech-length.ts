/** Milliseconds of speech per character at normal speed, as people and voices speak … */
const MS_PER_LETTER = 60;
/** … and per character that is a syllable or more. */
const MS_PER_SYLLABLE = 200;

const SYLLABLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Estimated duration of spoken text, in milliseconds.
 *
 * @param speed the voice's speed, 1 is normal
 */
export function speechMs(text: string, speed = 1): number {
  const syllables = text.match(SYLLABLES)?.length ?? 0;
  return (text.length * MS_PER_LETTER + syllables * (MS_PER_SYLLABLE - MS_PER_LETTER)) / speed;
}

/** The same per character of the text. */
export const msPerCharacter = (text: string, speed = 1): number =>
  text === '' ? MS_PER_LETTER / speed : speechMs(text, speed) / text.length;
