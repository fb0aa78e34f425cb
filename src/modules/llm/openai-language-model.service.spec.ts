import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../conversations/engine/clock.js';
import { type ChatModels, LanguageModelError, type LanguageModelSettings } from './language-model.js';
import { FakeLanguageModel } from './language-model.fake.js';
import { describeLanguageModel, listen, STREAM_REQUEST } from './language-model-contract.fake.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';
import { OpenAiServer, type ServerStep } from './openai-server.fake.js';

/** A catalogue with two models of its own; other names are sent as they are. */
const MODELS: ChatModels = {
  chatModel: async (name) => {
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
  protected override readonly tokenLimitMs = 60;
  protected override readonly completionLimitMs = 60;
}

const completion = (message: object) => ({ status: 200, body: { choices: [{ index: 0, message }] } });

describeLanguageModel('FakeLanguageModel', async () => {
  const model = new FakeLanguageModel(new SystemClock());
  return {
    model,
    willSay: (...steps) => void model.willSay(...steps),
    willComplete: (answer) => {
      const refusal = (status: number) => new LanguageModelError('refused', status >= 500, status);
      model.willComplete(typeof answer === 'number' ? refusal(answer) : answer);
    },
    close: async () => undefined,
  };
});

describeLanguageModel('OpenAiLanguageModel', async () => {
  const server = new OpenAiServer();
  const model = new OpenAiLanguageModelService(
    { baseUrl: await server.start(), apiKey: 'key', endpoints: {} },
    MODELS,
  );
  return {
    model,
    willSay: (...steps) => server.willAnswer(steps as ServerStep[]),
    willComplete: (answer) =>
      server.willAnswer(
        typeof answer === 'number'
          ? { status: answer, body: { error: { message: 'no' } } }
          : completion({ role: 'assistant', content: answer }),
      ),
    close: () => server.stop(),
  };
});

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

  it('asks in the words of the interface', async () => {
    server.willAnswer(['Hi']);
    await listen(model, never, {
      ...STREAM_REQUEST,
      messages: [
        { role: 'system', text: 'Be kind.' },
        { role: 'customer', text: 'Hello' },
        { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'look_up', arguments: '{}' }] },
        { role: 'tool', callId: 'c1', text: '{"a":1}' },
        { role: 'assistant', text: 'It is one.', toolCalls: [] },
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
        { role: 'assistant', content: 'It is one.' },
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

  it('asks each model at its endpoint, with the parameters that it takes', async () => {
    const other = new OpenAiServer();
    const endpoints = { other: { baseUrl: await other.start(), apiKey: 'other-key' } };
    const several = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key', endpoints };
    const reasoning = new OpenAiLanguageModelService(several, MODELS);
    other.willAnswer(['Hi']);
    await listen(reasoning, never, { ...STREAM_REQUEST, model: 'thinker', tools: [] });
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

  it('returns the usage last, and streams without it where the endpoint refuses to send it', async () => {
    server.willAnswer(['Hi', { usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } }]);
    expect((await listen(model, never)).at(-1)).toEqual({
      kind: 'usage',
      model: 'gpt-test',
      prompt: 9,
      cached: 0,
      completion: 2,
    });
    const message = 'Unrecognized request argument supplied: stream_options';
    server.willAnswer({ status: 400, body: { error: { message } } });
    for (const text of ['One', 'Two']) {
      server.willAnswer([text]);
      expect(await listen(model, never)).toEqual([{ kind: 'text', text }]);
    }
    const asked = server.requests.map((request) => 'stream_options' in request);
    expect(asked).toEqual([true, true, false, false]);
  });

  it.each(['gpt-test', null])('opens the connection of the first request to %s ahead of it', async (name) => {
    await model.warm(name);
    // The pool gets the connection back after the end of the answer.
    await new Promise((resolve) => setImmediate(resolve));
    server.willAnswer(['Hi']);
    await listen(model, never);
    expect(server.connections).toBe(1);
  });

  it('gives up a model that does not begin, or stops in the middle', async () => {
    const impatient = new ImpatientModel(settings, MODELS);
    await impatient.warm('gpt-test');
    server.willAnswer('hang');
    await expect(listen(impatient, never)).rejects.toMatchObject({
      message: 'The language model is too slow',
      retryable: true,
    });
    server.willAnswer(['One ', { waitMs: 300 }, 'two.']);
    await expect(listen(impatient, never)).rejects.toMatchObject({
      message: 'The language model is too slow',
    });
    server.willAnswer('hang');
    const request = { model: 'm', messages: [], form: { kind: 'json' } } as const;
    await expect(impatient.complete(request, never)).rejects.toMatchObject({ retryable: true });
  });

  it('does not count the time that the listener takes', async () => {
    const impatient = new ImpatientModel(settings, MODELS);
    await impatient.warm('gpt-test');
    server.willAnswer(['One ', 'two.']);
    const heard: string[] = [];
    for await (const delta of impatient.stream(STREAM_REQUEST, never)) {
      if (delta.kind === 'text') heard.push(delta.text);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(heard).toEqual(['One ', 'two.']);
  });

  it('drops the connection when nobody listens any more', async () => {
    const controller = new AbortController();
    server.willAnswer(['One ', { waitMs: 20_000 }, 'two.']);
    for await (const _ of model.stream(STREAM_REQUEST, controller.signal)) controller.abort();
    while (server.abandoned === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.abandoned).toBe(1);
  });

  it.each([
    [429, true],
    [500, true],
    [401, false],
    [404, false],
  ])('knows whether a %i is worth another try, and never quotes the provider', async (status, retryable) => {
    server.willAnswer({ status, body: { error: { message: 'your prompt was: secret', code: 'some_code' } } });
    const error: unknown = await listen(model, never).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ retryable, status });
    expect(String(error)).not.toContain('secret');
  });

  it('asks for a whole answer in each form', async () => {
    const schema = { type: 'object', properties: {} };
    const ask = (form: Parameters<typeof model.complete>[0]['form']) =>
      model.complete({ model: 'm', messages: [], form }, never);
    server.willAnswer(completion({ content: '{}' }));
    await ask({ kind: 'schema', name: 'form', schema });
    expect(server.requests[0]).toMatchObject({
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { name: 'form', strict: true, schema } },
    });
    const call = { id: 'c', type: 'function', function: { name: 'form', arguments: '{"a":1}' } };
    server.willAnswer(completion({ content: null, tool_calls: [call] }));
    const tool = { name: 'form', description: 'Files it.', parameters: schema };
    expect(await ask({ kind: 'tool', tool })).toBe('{"a":1}');
    expect(server.requests[1]).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'form' } },
    });
    server.willAnswer(completion({ content: null, refusal: 'no' }));
    await expect(ask({ kind: 'json' })).rejects.toMatchObject({ retryable: false, status: null });
  });

  it('gives the calls of each answer ids that the conversation does not have', async () => {
    const call = { raw: { tool_calls: [{ id: 'call_0', function: { name: 'look_up', arguments: '{}' } }] } };
    const messages = [
      { role: 'customer', text: 'Hello' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'call_0', name: 'look_up', arguments: '{}' }] },
      { role: 'tool', callId: 'call_0', text: 'free' },
    ] as const;
    server.willAnswer([call]);
    expect(await listen(model, never)).toMatchObject([{ id: 'call_0' }]);
    server.willAnswer([call]);
    expect(await listen(model, never, { ...STREAM_REQUEST, messages })).toMatchObject([
      { id: expect.stringMatching(/^[A-Za-z0-9]{9}$/) },
    ]);
  });

  it('tells calls that are not its own in words where a server refuses them, from then on', async () => {
    const messages = [
      { role: 'customer', text: 'Hello' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'look_up', arguments: '{}' }] },
      { role: 'tool', callId: 'a', text: 'free' },
    ] as const;
    const message = 'Function call is missing a thought_signature in functionCall parts.';
    server.willAnswer({ status: 400, body: [{ error: { code: 400, message } }] });
    for (const text of ['One', 'Two']) {
      server.willAnswer([text]);
      expect(await listen(model, never, { ...STREAM_REQUEST, messages })).toEqual([{ kind: 'text', text }]);
    }
    const told = server.requests.map((request) =>
      JSON.stringify(request['messages']).includes('tool_call_id'),
    );
    expect(told).toEqual([true, false, false]);
  });

  it('does not miss what follows the end of an answer', async () => {
    const impatient = new ImpatientModel(settings, MODELS);
    server.willAnswer(['Hi', { raw: {}, finish: 'stop' }, { waitMs: 300 }, 'late']);
    expect(await listen(impatient, never)).toEqual([{ kind: 'text', text: 'Hi' }]);
    server.willAnswer([
      'Hi',
      { raw: {}, finish: 'stop' },
      { waitMs: 20 },
      { failure: new LanguageModelError('cut', true) },
    ]);
    expect(await listen(model, never)).toEqual([{ kind: 'text', text: 'Hi' }]);
  });

  it('may be asked again when nobody answered at all', async () => {
    const nobody = new OpenAiLanguageModelService(
      { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key', endpoints: {} },
      MODELS,
    );
    await expect(listen(nobody, never)).rejects.toMatchObject({ retryable: true, status: null });
  });
});
