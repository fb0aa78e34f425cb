import type { SpeechProvider } from './catalog.js';

/** OpenAI's voices at the endpoint of the language model, except for the changes. */
export const fakeSpeechProvider = (changes: Partial<SpeechProvider> = {}): SpeechProvider => ({
  id: 1,
  name: 'OpenAI',
  kind: 'synthesizer',
  adapter: 'openai',
  code: 'tts-1',
  endpoint: null,
  defaultVoice: 'alloy',
  fallbackProviderId: null,
  retiresOn: null,
  replacedById: null,
  seeded: null,
  facts: {},
  warning: null,
  ...changes,
});
