import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ANY_CHAT_MODEL, collectDeltas, STREAM_REQUEST } from './language-model-contract.fake.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';
import { OpenAiServer } from './openai-server.fake.js';
import { readResponse } from './response/read-response.fake.js';

const HEAD = 'Let me look. ';
const CALL = '<function=look_up>{"day":"Monday"}</function>';
const NOT_RUN = 'The language model wrote a call that cannot be run';

const errorOf = (failed_generation: unknown) => ({
  error: {
    message:
      "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
    type: 'invalid_request_error',
    code: 'tool_use_failed',
    failed_generation,
  },
});

const READABLE: [string, unknown][] = [
  ['a tag of a function', CALL],
  ['a tag without its end', '<function=look_up>{"day":"Monday"}'],
  ['arguments in the tag', '<function=look_up{"day":"Monday"}</function>'],
  ['text in front', HEAD + CALL],
  ['a thought in front', `<think>secret</think>${CALL}`],
  ['JSON', '{"name":"look_up","parameters":{"day":"Monday"}}'],
  ['a list', '[{"name":"look_up","arguments":{"day":"Monday"}}]'],
  ['a value that is no text', [{ name: 'look_up', arguments: { day: 'Monday' } }]],
  ['code', 'look_up(day="Monday")'],
  ['a tag of Hermes', '<tool_call>\n{"name":"look_up","arguments":{"day":"Monday"}}\n</tool_call>'],
];
const UNREADABLE: [string, unknown][] = [
  ['a broken object', `${HEAD}<function=look_up>{"day":"Mon`],
  ['a tool that does not exist', '<function=fly>{"day":"Monday"}</function>'],
  ['no call', 'We open at nine.'],
  ['a thought about a call', `I could ${CALL}</think>`],
];

describe('the text in which a server found no call', () => {
  const never = new AbortController().signal;
  let server: OpenAiServer;
  let model: OpenAiLanguageModelService;

  beforeEach(async () => {
    server = new OpenAiServer();
    model = new OpenAiLanguageModelService(
      { baseUrl: await server.start(), apiKey: 'key', endpoints: {} },
      ANY_CHAT_MODEL,
    );
  });
  afterEach(() => server.stop());

  it.each(READABLE)('is read instead of the response: %s', async (_, written) => {
    server.willRespond({ status: 400, body: errorOf(written) });
    const deltas = await collectDeltas(model, never);
    const text = deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
    expect(text).toBe(String(written).startsWith(HEAD) ? HEAD : '');
    expect(deltas.at(-1)).toMatchObject({
      kind: 'tool_call',
      name: 'look_up',
      arguments: '{"day":"Monday"}',
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each(UNREADABLE)('is not spoken, and the request may be sent again: %s', async (_, written) => {
    for (const speech of [undefined, { prompt: '' }]) {
      server.willRespond({ status: 400, body: errorOf(written) });
      const request = { ...STREAM_REQUEST, ...(speech && { speech }) };
      await expect(collectDeltas(model, never, request)).rejects.toMatchObject({
        message: NOT_RUN,
        retryable: true,
      });
    }
  });

  it.each([undefined, null, ''])('is missing: %j', async (written) => {
    server.willRespond({ status: 400, body: errorOf(written) });
    await expect(collectDeltas(model, never)).rejects.toMatchObject({ status: 400, retryable: false });
  });

  describe('within a stream', () => {
    const frame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
    const say = (content: string): string => frame({ choices: [{ index: 0, delta: { content } }] });
    const read = (chunks: string[]) => readResponse(chunks, ['look_up'], false);

    it.each(READABLE)('is read: %s', async (_, written) => {
      const { calls, error } = await read([frame(errorOf(written))]);
      expect([calls.map(({ arguments: args }) => args), error]).toEqual([['{"day":"Monday"}'], null]);
    });

    it('continues the text in front of it', async () => {
      const { text, calls } = await read([say(HEAD), `event: error\n${frame(errorOf(HEAD + CALL))}`]);
      expect([text, calls.length]).toEqual([HEAD, 1]);
      expect(await read([say('Other words. '), frame(errorOf(HEAD + CALL))])).toMatchObject({
        calls: [],
        error: NOT_RUN,
      });
    });

    it.each(UNREADABLE)('may be asked for again: %s', async (_, written) => {
      expect(await read([frame(errorOf(written))])).toMatchObject({ text: '', calls: [], error: NOT_RUN });
    });
  });
});
