import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { partialFake } from '#src/common/partial.fake.js';
import type { ChatModelCatalog } from './language-model.js';
import { collectDeltas, STREAM_REQUEST } from './language-model-contract.fake.js';
import { streamWithFallback } from './model-fallback.js';
import { ModelMetricsService } from './model-metrics.service.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';
import { OpenAiServer } from './openai-server.fake.js';

/** The catalogue has `first` and `second`. */
const MODELS: ChatModelCatalog = {
  findChatModel: async (name) => ({
    code: name,
    ...(['first', 'second'].includes(name) && { catalogName: name }),
    endpoint: null,
    takesTemperature: true,
    outputLimitField: 'max_tokens',
    reasoningEffort: null,
  }),
};

describe('ModelMetricsService', () => {
  const never = new AbortController().signal;
  let server: OpenAiServer;
  let registry: Registry;
  let model: OpenAiLanguageModelService;

  beforeEach(async () => {
    server = new OpenAiServer();
    registry = new Registry();
    model = new OpenAiLanguageModelService(
      { baseUrl: await server.start(), apiKey: 'key', endpoints: {} },
      MODELS,
      new ModelMetricsService(partialFake({ registry })),
    );
  });
  afterEach(async () => {
    await model.onApplicationShutdown();
    await server.stop();
  });

  const samples = async (name: string): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));

  it('counts answers and their tokens by the name in the catalogue', async () => {
    const usage = { prompt_tokens: 30, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 10 } };
    server.willRespond(['Hi', { usage }]);
    await collectDeltas(model, never, { ...STREAM_REQUEST, model: 'first' });
    expect(await samples('language_model_requests_total')).toEqual([
      'language_model_requests_total{model="first",role="turn",outcome="answered"} 1',
    ]);
    expect(await samples('language_model_tokens_total')).toEqual([
      'language_model_tokens_total{model="first",kind="prompt"} 30',
      'language_model_tokens_total{model="first",kind="cached"} 10',
      'language_model_tokens_total{model="first",kind="completion"} 4',
    ]);
    expect(await samples('language_model_first_token_seconds_count')).toEqual([
      'language_model_first_token_seconds_count{model="first"} 1',
    ]);
  });

  it('counts the fallback model in its role, and the failure that caused its request', async () => {
    server.willRespond({ status: 500, body: { error: { message: 'no' } } });
    server.willRespond(['Hi']);
    const request = { ...STREAM_REQUEST, model: 'first' };
    const options = { model: 'second', afterMs: 5_000, timeoutMs: 9_000, setTimer: () => () => undefined };
    for await (const delta of streamWithFallback(model, request, never, options)) void delta;
    expect(await samples('language_model_requests_total')).toEqual([
      'language_model_requests_total{model="first",role="turn",outcome="failed"} 1',
      'language_model_requests_total{model="second",role="fallback",outcome="answered"} 1',
    ]);
  });

  it('counts an interrupted answer as aborted, and names that the catalogue does not have as one', async () => {
    const interrupted = new AbortController();
    server.willRespond(['Hi ', { waitMs: 10_000 }, 'there']);
    for await (const delta of model.stream({ ...STREAM_REQUEST, model: 'old' }, interrupted.signal)) {
      if (delta.kind === 'text') interrupted.abort();
    }
    server.willRespond({ status: 400, body: { error: { message: 'no' } } });
    const form = { kind: 'json' } as const;
    await expect(
      model.complete({ model: 'older', messages: [], responseFormat: form }, never),
    ).rejects.toThrow('400');
    expect(await samples('language_model_requests_total')).toEqual([
      'language_model_requests_total{model="other",role="turn",outcome="aborted"} 1',
      'language_model_requests_total{model="other",role="evaluation",outcome="failed"} 1',
    ]);
  });
});
