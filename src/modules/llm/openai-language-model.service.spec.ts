import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../conversations/engine/clock.js';
import { LanguageModelError } from './language-model.js';
import { FakeLanguageModel } from './language-model.fake.js';
import { describeLanguageModel, listen, STREAM_REQUEST } from './language-model-contract.fake.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';
import { OpenAiServer } from './openai-server.fake.js';

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
  const model = new OpenAiLanguageModelService({ baseUrl: await server.start(), apiKey: 'key' });
  return {
    model,
    willSay: (...steps) => server.willAnswer(steps),
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

  beforeEach(async () => {
    server = new OpenAiServer();
    model = new ImpatientModel({ baseUrl: await server.start(), apiKey: 'key' });
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
      stream: true,
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
          function: {
            name: 'look_up',
            description: 'Looks up.',
            parameters: { type: 'object', properties: {} },
          },
        },
      ],
      tool_choice: 'none',
    });
  });

  it('gives up a model that does not begin, or stops in the middle', async () => {
    server.willAnswer('hang');
    await expect(listen(model, never)).rejects.toMatchObject({
      message: 'The language model is too slow',
      retryable: true,
    });
    server.willAnswer(['One ', { waitMs: 300 }, 'two.']);
    await expect(listen(model, never)).rejects.toMatchObject({ message: 'The language model is too slow' });
    server.willAnswer('hang');
    const request = { model: 'm', messages: [], form: { kind: 'json' } } as const;
    await expect(model.complete(request, never)).rejects.toMatchObject({ retryable: true });
  });

  it('does not count the time that the listener takes', async () => {
    server.willAnswer(['One ', 'two.']);
    const heard: string[] = [];
    for await (const delta of model.stream(STREAM_REQUEST, never)) {
      if (delta.kind === 'text') heard.push(delta.text);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(heard).toEqual(['One ', 'two.']);
  });

  it('drops the connection when nobody listens any more', async () => {
    const controller = new AbortController();
    server.willAnswer(['One ', { waitMs: 50 }, 'two.']);
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

  it('may be asked again when nobody answered at all', async () => {
    const nobody = new OpenAiLanguageModelService({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key' });
    await expect(listen(nobody, never)).rejects.toMatchObject({ retryable: true, status: null });
  });
});
