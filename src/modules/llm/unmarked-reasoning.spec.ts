import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STREAM_REQUEST } from './language-model-contract.fake.js';
import type { ModelMessage } from './language-model.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';
import { OpenAiServer } from './openai-server.fake.js';

const text = (content: string) => ({ raw: { content } });
const CALL = {
  raw: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'look_up', arguments: '{}' } }] },
};
const SECRET = [text('SECRET margin '), text('forty.</thi'), text('nk>At ten.')];
const ASKED: ModelMessage[] = [{ role: 'customer', text: 'When?' }];
const AFTER_TOOL: ModelMessage[] = [
  ...ASKED,
  { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'look_up', arguments: '{}' }] },
  { role: 'tool', callId: 'c1', text: '10' },
  { role: 'system', text: 'Go on.' },
];

describe('reasoning with a closing tag only, in a call', () => {
  let server: OpenAiServer;
  let model: OpenAiLanguageModelService;

  beforeEach(async () => {
    server = new OpenAiServer();
    model = new OpenAiLanguageModelService(
      { baseUrl: await server.start(), apiKey: 'key', endpoints: {} },
      {
        findChatModel: async (code) => ({
          code,
          endpoint: null,
          takesTemperature: true,
          outputLimitField: 'max_tokens',
          reasoningEffort: null,
        }),
      },
    );
  });

  afterEach(() => server.stop());

  /** What is spoken: a retraction comes too late for it. */
  const hear = async (
    messages: ModelMessage[],
    ...script: { raw: { content: string } | (typeof CALL)['raw'] }[]
  ): Promise<string> => {
    server.willRespond(script);
    let heard = '';
    const request = { ...STREAM_REQUEST, messages, speech: { prompt: 'Help.' } };
    for await (const delta of model.stream(request, new AbortController().signal))
      if (delta.kind === 'text') heard += delta.text;
    return heard;
  };

  it.each([
    ['a call alone', [[ASKED, [CALL]]]],
    ['text beside a call', [[ASKED, [text('One moment.'), CALL]]]],
    ['a plain answer', [[ASKED, [text('At nine.')]]]],
    [
      'two plain answers to the customer',
      [
        [ASKED, [text('At nine.')]],
        [ASKED, [text('At nine.')]],
        [ASKED, [CALL]],
      ],
    ],
  ] as [string, [ModelMessage[], (typeof CALL)[]][]][])('is not spoken after %s', async (_, before) => {
    for (const [messages, script] of before) expect(await hear(messages, ...script)).not.toMatch(/SECRET/);
    expect(await hear(AFTER_TOOL, ...SECRET)).toBe('At ten.');
    expect(await hear(ASKED, text('One moment.'), CALL)).toBe('One moment.');
    expect(await hear(AFTER_TOOL, ...SECRET)).toBe('At ten.');
    expect(await hear(ASKED, ...SECRET)).toBe('At ten.');
  });

  it('is not spoken again after it was heard once', async () => {
    for (let left = 2; left > 0; left -= 1) expect(await hear(ASKED, text('At nine.'))).toBe('At nine.');
    expect(await hear(ASKED, ...SECRET)).toContain('SECRET');
    for (const messages of [ASKED, AFTER_TOOL, ASKED])
      expect(await hear(messages, ...SECRET)).toBe('At ten.');
  });
});
