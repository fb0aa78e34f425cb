/** Any endpoint that speaks the OpenAI chat completions interface. Read at the first request. */
export abstract class LanguageModelSettings {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  abstract readonly baseUrl: string;
  abstract readonly apiKey: string;
}
