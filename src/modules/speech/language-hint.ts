/** They take a list of languages, the earlier ones a single language. */
const TAKES_LIST = /^gpt-(live-)?transcribe/;

/** Both written forms of Norwegian have the letters of the language. */
const LETTERS: Record<string, string> = { nb: 'no', nn: 'no' };

/** The two letters of ISO 639-1 as speech providers take them. @param language BCP 47 */
export function lettersOf(language: string): string {
  const letters = language.slice(0, 2).toLowerCase();
  return LETTERS[letters] ?? letters;
}

/**
 * The field that tells OpenAI's transcription which language is spoken: the two letters of ISO 639-1.
 *
 * @param language BCP 47; one without such letters is left out
 */
export function languageHint(
  model: string,
  language: string,
): { language?: string } | { languages?: string[] } {
  if (!/^[a-z]{2}(-|$)/i.test(language)) return {};
  const letters = lettersOf(language);
  return TAKES_LIST.test(model) ? { languages: [letters] } : { language: letters };
}
