import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { FakeClock, flushPromises } from '../conversations/engine/clock.fake.js';
import { FAKE_TOOL, FakeToolRunner } from '../conversations/engine/conversation.fake.js';
import { FakeLanguageModel } from '../llm/language-model.fake.js';
import { ChatResponder, ChatTakenOverError, type ChatSettings } from './chat-responder.js';
import { toChatMemory, completeAbandonedCalls, INTERRUPTED_TOOL_RESULT } from './chat-memory.js';
import type { FunctionCall } from './chat.types.js';
import type { ChatTurn } from './entities/chat.entities.js';

Logger.overrideLogger(false);

const CALL = { call: 'check_slot', args: '{"day":"Friday"}' };
const DONE = { name: 'check_slot', arguments: { day: 'Friday' }, result: '{"free":true}' };

function start(
  changes: Partial<ChatSettings> = {},
  earlierCalls: FunctionCall[] = [],
  before: ChatTurn[] = [],
) {
  const clock = new FakeClock();
  const model = new FakeLanguageModel(clock);
  const tools = new FakeToolRunner(clock);
  const saved: FunctionCall[][] = [];
  const settings: ChatSettings = {
    model: 'gpt-test',
    fallbackModel: null,
    fallbackAfterMs: 3_000,
    temperature: 0.1,
    instructions: 'You are Ada.',
    language: 'en-US',
    tools: [FAKE_TOOL],
    endDescription: null,
    ...changes,
  };
  const memory = toChatMemory(before, { message: 'Is Friday free?', calls: earlierCalls });
  const parts = { clock, model, tools, settings, memory, earlierCalls };
  const save = async (calls: FunctionCall[]): Promise<void> => void saved.push(structuredClone(calls));
  return { clock, model, tools, saved, parts, answer: () => new ChatResponder({ ...parts, save }).respond() };
}

describe('ChatResponder', () => {
  it('runs tools after storing them, and responds with their results', async () => {
    const { model, tools, saved, answer } = start();
    model.willSay('Let me look.', CALL).willSay('Friday is free.');
    expect(await answer()).toEqual({
      text: 'Let me look.\nFriday is free.',
      calls: [DONE],
      ends: false,
      isFree: false,
    });
    expect(tools.runs).toHaveLength(1);
    expect(saved).toEqual([[{ ...DONE, result: null }], [DONE]]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', text: '{"free":true}' });
  });

  it('does not run a tool after another process takes over', async () => {
    const { model, tools, parts } = start();
    model.willSay(CALL);
    const save = () => Promise.reject(new ChatTakenOverError());
    await expect(new ChatResponder({ ...parts, save }).respond()).rejects.toThrow(ChatTakenOverError);
    expect(tools.runs).toEqual([]);
  });

  it('reports to the model that the result of a tool is unknown', async () => {
    const { model, answer } = start({}, completeAbandonedCalls([{ ...DONE, result: null }]));
    model.willSay('I am not sure.');
    expect((await answer()).calls).toEqual([{ ...DONE, result: INTERRUPTED_TOOL_RESULT }]);
    expect(model.requests[0]?.messages.slice(-3)).toMatchObject([
      { role: 'customer', text: 'Is Friday free?' },
      { role: 'assistant', toolCalls: [{ name: 'check_slot' }] },
      { role: 'tool', text: INTERRUPTED_TOOL_RESULT },
    ]);
  });

  it('offers the tools of the user and the end, and nothing that is about telephone calls', async () => {
    const { model, answer } = start({ endDescription: 'When done.' });
    model.willSay('Yes.');
    await answer();
    expect(model.requests[0]?.tools.map(({ name, description }) => [name, description])).toEqual([
      ['check_slot', 'Whether an appointment is free.'],
      ['end_call', 'When done.'],
    ]);
  });

  it('says goodbye when the model ends the conversation without text', async () => {
    const { model, answer } = start();
    model.willSay({ call: 'end_call' });
    expect(await answer()).toMatchObject({ text: expect.stringContaining('Goodbye'), ends: true });
  });

  it('omits text that is reasoning', async () => {
    const { model, answer } = start();
    model.willSay('Hm, ', 'Friday.', { retract: true }, '\n\nYes, **it is**.');
    expect((await answer()).text).toBe('Yes, **it is**.');
  });

  it.each(['filter', 'length'] as const)('reports that a response is incomplete (%s)', async (stopped) => {
    const { model, answer } = start();
    model.willSay('The best way to', { stopped });
    expect(await answer()).toMatchObject({
      text: 'The best way to\nExcuse me, I cannot finish that answer. What else may I do for you?',
      isFree: false,
    });
    expect(model.requests).toHaveLength(1);
  });

  it('retries once and then apologises, free of charge', async () => {
    const { model, answer } = start();
    model.willSay('').willSay('');
    expect(await answer()).toMatchObject({
      text: expect.stringContaining('again'),
      isFree: true,
      ends: false,
    });
    expect(model.requests).toHaveLength(2);
  });

  it('aborts the request to a model that does not begin', async () => {
    const { clock, model, answer } = start();
    model.willSay({ waitMs: 60_000 }, 'Late.').willSay({ waitMs: 60_000 }, 'Late.');
    const pending = answer();
    await clock.advance(40_000);
    await flushPromises();
    expect(await pending).toMatchObject({ isFree: true });
  });

  it('requires an answer from the model after five rounds of tools', async () => {
    const { model, tools, answer } = start();
    for (let round = 0; round < 5; round += 1) model.willSay(CALL);
    model.willSay('I cannot find it.');
    expect((await answer()).text).toBe('I cannot find it.');
    expect(tools.runs).toHaveLength(5);
    expect(model.requests.at(-1)?.mayCallTools).toBe(false);
  });

  it('stores messages, tools and answers in their order', async () => {
    const before = [
      { message: null, answer: 'Hello.', functionCalls: [] },
      { message: 'Thursday?', answer: 'No.', functionCalls: [DONE] },
    ] as unknown as ChatTurn[];
    const { model, answer } = start({}, [], before);
    model.willSay('Yes.');
    await answer();
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'assistant',
      'customer',
      'assistant',
      'tool',
      'assistant',
      'customer',
    ]);
  });
});
