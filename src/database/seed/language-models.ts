/** `name` is what a client sends as `llm_model` and what goes to the model's endpoint. */
export const LANGUAGE_MODELS = [
  { id: 1, name: 'gpt-4.1-mini', mode: 'pipeline' },
  { id: 2, name: 'gpt-4.1', mode: 'pipeline' },
  { id: 3, name: 'gpt-4.1-nano', mode: 'pipeline' },
  { id: 4, name: 'gpt-4o', mode: 'pipeline' },
  { id: 5, name: 'gpt-4o-mini', mode: 'pipeline' },
  { id: 6, name: 'gpt-5-mini', mode: 'pipeline' },
  { id: 7, name: 'llama-3.3-70b-versatile', mode: 'pipeline' },
  { id: 8, name: 'mistral-small-latest', mode: 'pipeline' },
  { id: 9, name: 'gpt-realtime', mode: 'multimodal' },
  { id: 10, name: 'gpt-realtime-mini', mode: 'multimodal' },
];
