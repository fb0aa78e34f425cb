import { expect, it } from '@jest/globals';
import { ANY_CHAT_MODEL, collectDeltas } from './language-model-contract.fake.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';
import { OpenAiServer } from './openai-server.fake.js';

it('returns for how long a provider refuses requests', async () => {
  const server = new OpenAiServer();
  const settings = { baseUrl: await server.start(), apiKey: 'key', endpoints: {} };
  const model = new OpenAiLanguageModelService(settings, ANY_CHAT_MODEL);
  server.willRespond({ status: 429, body: { error: {} }, headers: { 'Retry-After': '2' } });
  await expect(collectDeltas(model, new AbortController().signal)).rejects.toMatchObject({
    status: 429,
    retryable: true,
    retryAfterMs: 2_000,
  });
  await server.stop();
});
