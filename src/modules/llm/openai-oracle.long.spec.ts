import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LLMock } from '@copilotkit/aimock';
import { collectDeltas, STREAM_REQUEST } from './language-model-contract.fake.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';

/** A published mock of the interface, written by others, as the endpoint. */
describe('OpenAiLanguageModelService with an independent mock server', () => {
  const never = new AbortController().signal;
  let mock: LLMock;
  let model: OpenAiLanguageModelService;
  const say = (text: string) =>
    collectDeltas(model, never, { ...STREAM_REQUEST, messages: [{ role: 'customer', text }] });

  beforeAll(async () => {
    mock = new LLMock({ port: 0, strict: true });
    mock
      .onMessage('hello', { content: 'Good morning, this is Ada.', reasoning: 'They greet me.' })
      .onMessage('find', {
        content: 'One moment.',
        toolCalls: [
          { name: 'look_up', arguments: '{"what":"a"}' },
          { name: 'look_up', arguments: '{"what":"b"}' },
        ],
      })
      .onMessage('form', { content: '{"status":true}' });
    await mock.start();
    const endpoint = { baseUrl: `${mock.url}/v1`, apiKey: 'key', endpoints: {} };
    model = new OpenAiLanguageModelService(endpoint, {
      findChatModel: async (code) => ({
        code,
        endpoint: null,
        takesTemperature: true,
        outputLimitField: 'max_completion_tokens',
        reasoningEffort: null,
      }),
    });
  });

  afterAll(async () => {
    await model.onApplicationShutdown();
    await mock.stop();
  });

  it('streams text without the reasoning, and the usage', async () => {
    const deltas = await say('hello');
    expect(deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('')).toBe(
      'Good morning, this is Ada.',
    );
    expect(deltas.at(-1)).toMatchObject({ kind: 'usage', model: 'gpt-test' });
  });

  it('streams parallel tool calls', async () => {
    const calls = (await say('find')).filter(({ kind }) => kind === 'tool_call');
    expect(calls).toMatchObject([
      { name: 'look_up', arguments: '{"what":"a"}' },
      { name: 'look_up', arguments: '{"what":"b"}' },
    ]);
  });

  it('returns a complete answer in the form of a schema', async () => {
    const schema = { type: 'object', properties: { status: { type: 'boolean' } } };
    const form = { kind: 'schema', name: 'form', schema } as const;
    const messages = [{ role: 'customer', text: 'form' }] as const;
    expect(
      JSON.parse(await model.complete({ model: 'gpt-test', messages, responseFormat: form }, never)),
    ).toEqual({
      status: true,
    });
  });

  it.each([
    [429, true],
    [401, false],
  ])('reports a refusal with %i', async (status, retryable) => {
    mock.nextRequestError(status, { message: 'no', code: 'refused' });
    await expect(say('hello')).rejects.toMatchObject({ status, retryable });
  });
});
