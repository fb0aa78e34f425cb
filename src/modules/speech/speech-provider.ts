/** Endpoint, credentials and model of a speech provider of the catalogue. */
export interface ProviderAccess {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
}
