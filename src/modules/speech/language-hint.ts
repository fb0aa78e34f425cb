/** Newer models accept a list of languages, the earlier ones a single language. */
const ACCEPTS_LANGUAGE_LIST = /^gpt-(live-)?transcribe/;

/** Both written forms of Norwegian have the letters of the language. */
const CODE_ALIASES: Record<string, string> = { nb: 'no', nn: 'no' };

/** The ISO 639-1 code that speech providers expect. @param language BCP 47 */
export function languageCodeOf(language: string): string {
  const code = language.slice(0, 2).toLowerCase();
  return CODE_ALIASES[code] ?? code;
}

/**
 * The language field of a request to OpenAI's transcription: an ISO 639-1 code.
 *
 * @param language BCP 47; one without such letters is left out
 */
export function languageHint(
  model: string,
  language: string,
): { language?: string } | { languages?: string[] } {
  if (!/^[a-z]{2}(-|$)/i.test(language)) return {};
  const code = languageCodeOf(language);
  return ACCEPTS_LANGUAGE_LIST.test(model) ? { languages: [code] } : { language: code };
}
