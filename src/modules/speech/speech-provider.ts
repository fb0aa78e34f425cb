/** How a speech provider of the catalogue is asked. */
export interface ProviderAccess {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
}
