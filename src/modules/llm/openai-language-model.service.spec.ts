import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { withFakeTimeouts } from './fake-timeouts.fake.js';
import { type ChatModelCatalog, LanguageModelError, type LanguageModelSettings } from './language-model.js';
import { collectDeltas, STREAM_REQUEST } from './language-model-contract.fake.js';
import { MAX_RESPONSE_BYTES } from './openai-clients.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';
import { OpenAiServer } from './openai-server.fake.js';

/** A catalogue with two models of its own; other names are sent as they are. */
const MODELS: ChatModelCatalog = {
  findChatModel: async (name) => {
    const plain = { endpoint: null, takesTemperature: true, reasoningEffort: null } as const;
    if (name === 'thinker') {
      return {
        code: 'gpt-5-mini-2025',
        endpoint: 'other',
        takesTemperature: false,
        outputLimitField: 'max_completion_tokens',
        reasoningEffort: 'minimal',
      };
    }
    return { ...plain, code: name, outputLimitField: 'max_tokens' };
  },
};

class ImpatientModel extends OpenAiLanguageModelService {
  protected override readonly tokenTimeoutMs = 60;
  protected override readonly completionTimeoutMs = 60;
}

const completion = (message: object) => ({ status: 200, body: { choices: [{ index: 0, message }] } });

describe('OpenAiLanguageModelService', () => {
  const never = new AbortController().signal;
  let server: OpenAiServer;
  let model: OpenAiLanguageModelService;
  let settings: LanguageModelSettings;

  beforeEach(async () => {
    server = new OpenAiServer();
    settings = { baseUrl: await server.start(), apiKey: 'key', endpoints: {} };
    model = new OpenAiLanguageModelService(settings, MODELS);
  });

  afterEach(() => server.stop());

  it('sends requests in the form of the interface', async () => {
    server.willRespond(['Hi']);
    await collectDeltas(model, never, {
      ...STREAM_REQUEST,
      messages: [
        { role: 'system', text: 'Be kind.' },
        { role: 'customer', text: 'Hello' },
        { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'look_up', arguments: '{}' }] },
        { role: 'tool', callId: 'c1', text: '{"a":1}' },
      ],
      mayCallTools: false,
    });
    expect(server.requests[0]).toEqual({
      model: 'gpt-test',
      temperature: 0.2,
      max_tokens: 500,
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"a":1}' },
      ],
      tools: [
        {
          type: 'function',
          // Without parameters, of which it has none.
          function: { name: 'look_up', description: 'Looks up.' },
        },
      ],
      tool_choice: 'none',
    });
  });

  it('sends requests to each model at its endpoint, with the parameters that it accepts', async () => {
    const other = new OpenAiServer();
    const endpoints = { other: { baseUrl: await other.start(), apiKey: 'other-key' } };
    const several = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key', endpoints };
    const reasoning = new OpenAiLanguageModelService(several, MODELS);
    other.willRespond(['Hi']);
    await collectDeltas(reasoning, never, { ...STREAM_REQUEST, model: 'thinker', tools: [] });
    expect(other.requests[0]).toEqual({
      model: 'gpt-5-mini-2025',
      reasoning_effort: 'minimal',
      max_completion_tokens: 500,
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(other.authorizations).toEqual(['Bearer other-key']);
    await reasoning.onApplicationShutdown();
    await other.stop();
  });

  it('returns the usage last', async () => {
    server.willRespond(['Hi', { usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } }]);
    const usage = { kind: 'usage', model: 'gpt-test', prompt: 9, cached: 0, completion: 2 };
    expect((await collectDeltas(model, never)).at(-1)).toEqual(usage);
  });

  const unknown = 'Unrecognized request argument supplied: stream_options';
  const detail = [{ type: 'extra_forbidden', loc: ['body', 'stream_options', 'include_usage'], input: true }];
  it.each([
    ['OpenAI', 400, { error: { message: unknown } }],
    ['Gemini', 400, [{ error: { message: unknown } }]],
    ['Mistral', 422, { object: 'error', message: { detail }, type: 'invalid_request_error', code: null }],
    ['FastAPI', 422, { detail }],
  ])('streams without usage if the endpoint rejects it in the form of %s', async (_, status, body) => {
    server.willRespond({ status, body });
    for (const text of ['One', 'Two']) {
      server.willRespond([text]);
      expect(await collectDeltas(model, never)).toEqual([{ kind: 'text', text }]);
    }
    const asked = server.requests.map((request) => 'stream_options' in request);
    expect(asked).toEqual([true, false, false]);
  });

  it.each(['gpt-test', null])('opens the connection of the first request to %s ahead of it', async (name) => {
    await model.warm(name);
    // The pool gets the connection back after the end of the answer.
    await new Promise((resolve) => setImmediate(resolve));
    server.willRespond(['Hi']);
    await collectDeltas(model, never);
    expect(server.connections).toBe(1);
  });

  it('aborts a model that does not begin, or stops in the middle', async () => {
    const impatient = new ImpatientModel(settings, MODELS);
    await impatient.warm('gpt-test');
    server.willRespond('hang');
    await expect(collectDeltas(impatient, never)).rejects.toMatchObject({
      message: 'The language model is too slow',
      retryable: true,
    });
    server.willRespond(['One ', { waitMs: 300 }, 'two.']);
    await expect(collectDeltas(impatient, never)).rejects.toMatchObject({
      message: 'The language model is too slow',
    });
    server.willRespond('hang');
    const request = { model: 'm', messages: [], responseFormat: { kind: 'json' } } as const;
    await expect(impatient.complete(request, never)).rejects.toMatchObject({ retryable: true });
  });

  it('ends a response that does not end, and the body of an error', async () => {
    const frame = { raw: { content: 'x'.repeat(512 * 1024) } };
    server.willRespond(Array.from({ length: (2 * MAX_RESPONSE_BYTES) / (512 * 1024) }, () => frame));
    await expect(collectDeltas(model, never)).rejects.toThrow(LanguageModelError);
    server.willRespond({ status: 500, body: { error: 'x'.repeat(2 * MAX_RESPONSE_BYTES) } });
    // The status is known only where the body was read.
    await expect(collectDeltas(model, never)).rejects.toMatchObject({ status: null });
  });

  it('does not count the time of the listener', async () => {
    server.willRespond(['One ', { waitMs: 20 }, 'two.']);
    const heard: string[] = [];
    await withFakeTimeouts(async () => {
      for await (const delta of new ImpatientModel(settings, MODELS).stream(STREAM_REQUEST, never)) {
        if (delta.kind === 'text') heard.push(delta.text);
        await jest.advanceTimersByTimeAsync(1_000);
      }
    });
    expect(heard).toEqual(['One ', 'two.']);
  });

  it('closes the connection when no listener is left', async () => {
    const controller = new AbortController();
    server.willRespond(['One ', { waitMs: 20_000 }, 'two.']);
    for await (const _ of model.stream(STREAM_REQUEST, controller.signal)) controller.abort();
    while (server.abandoned === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.abandoned).toBe(1);
  });

  it.each([
    [429, true],
    [500, true],
    [401, false],
    [404, false],
  ])('reports whether a %i may be retried, and never quotes the provider', async (status, retryable) => {
    server.willRespond({
      status,
      body: { error: { message: 'your prompt was: secret', code: 'some_code' } },
    });
    const error: unknown = await collectDeltas(model, never).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ retryable, status });
    expect(String(error)).not.toContain('secret');
  });

  it('requests a complete answer in each form', async () => {
    const schema = { type: 'object', properties: {} };
    const ask = (form: Parameters<typeof model.complete>[0]['responseFormat']) =>
      model.complete({ model: 'm', messages: [], responseFormat: form }, never);
    server.willRespond(completion({ content: '{}' }));
    await ask({ kind: 'schema', name: 'form', schema });
    expect(server.requests[0]).toMatchObject({
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { name: 'form', strict: true, schema } },
    });
    const call = { id: 'c', type: 'function', function: { name: 'form', arguments: '{"a":1}' } };
    server.willRespond(completion({ content: null, tool_calls: [call] }));
    const tool = { name: 'form', description: 'Files it.', parameters: schema };
    expect(await ask({ kind: 'tool', tool })).toBe('{"a":1}');
    expect(server.requests[1]).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'form' } },
    });
    server.willRespond(completion({ content: null, refusal: 'no' }));
    await expect(ask({ kind: 'json' })).rejects.toMatchObject({ retryable: false, status: null });
  });

  it('assigns the calls of each answer ids that the conversation does not have', async () => {
    const call = { raw: { tool_calls: [{ id: 'call_0', function: { name: 'look_up', arguments: '{}' } }] } };
    const messages = [
      { role: 'customer', text: 'Hello' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'call_0', name: 'look_up', arguments: '{}' }] },
      { role: 'tool', callId: 'call_0', text: 'free' },
    ] as const;
    server.willRespond([call]);
    expect(await collectDeltas(model, never)).toMatchObject([{ id: 'call_0' }]);
    server.willRespond([call]);
    expect(await collectDeltas(model, never, { ...STREAM_REQUEST, messages })).toMatchObject([
      { id: expect.stringMatching(/^[A-Za-z0-9]{9}$/) },
    ]);
  });

  it('writes foreign calls as text for a server that refuses them, from then on', async () => {
    const messages = [
      { role: 'customer', text: 'Hello' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'look_up', arguments: '{}' }] },
      { role: 'tool', callId: 'a', text: 'free' },
    ] as const;
    const message = 'Function call is missing a thought_signature in functionCall parts.';
    server.willRespond({ status: 400, body: [{ error: { code: 400, message } }] });
    for (const text of ['One', 'Two']) {
      server.willRespond([text]);
      expect(await collectDeltas(model, never, { ...STREAM_REQUEST, messages })).toEqual([
        { kind: 'text', text },
      ]);
    }
    const told = server.requests.map((request) =>
      JSON.stringify(request['messages']).includes('tool_call_id'),
    );
    expect(told).toEqual([true, false, false]);
  });

  it('reads what follows the end of an answer', async () => {
    server.willRespond(['Hi', { raw: {}, finish: 'stop' }, { waitMs: 20_000 }, 'late']);
    expect(await collectDeltas(model, never)).toEqual([{ kind: 'text', text: 'Hi' }]);
    server.willRespond([
      'Hi',
      { raw: {}, finish: 'stop' },
      { waitMs: 20 },
      { failure: new LanguageModelError('cut', true) },
    ]);
    expect(await collectDeltas(model, never)).toEqual([{ kind: 'text', text: 'Hi' }]);
  });

  it('may be retried without any response', async () => {
    const nobody = new OpenAiLanguageModelService(
      { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key', endpoints: {} },
      MODELS,
    );
    await expect(collectDeltas(nobody, never)).rejects.toMatchObject({ retryable: true, status: null });
  });
});
