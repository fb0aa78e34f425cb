import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import type { StreamRequest } from '../../llm/language-model.js';
import { toChatMessages, toChatTool } from '../../llm/openai-messages.js';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

const TURNS = 14;
const CALL = { call: 'check_slot', args: '{"day":"Friday"}' };

/** A request as its provider reads it: tools first, then messages, without a last one for this turn only. */
function promptOf({ messages, tools }: StreamRequest): string[] {
  const chat = toChatMessages(messages, { model: 'gpt-test' });
  if (messages.length > 1 && messages.at(-1)?.role === 'system') chat.pop();
  // What the customer says on goes on in the same message.
  const open = (message: object): string => JSON.stringify(message).replace(/"\}$/, '');
  return [JSON.stringify(tools.map(toChatTool)), ...chat.map(open)];
}

/** Where the next request does not begin with all of the one before. */
function prefixChanges(requests: readonly StreamRequest[]): number[] {
  const prompts = requests.map((request) => promptOf(request).join('\n'));
  return prompts.flatMap((prompt, index) => {
    const next = prompts[index + 1];
    return next === undefined || next.startsWith(prompt) ? [] : [index + 1];
  });
}

describe('the prompt of a conversation', () => {
  it('begins with the one before, over many turns with tools, so that providers find it in their caches', async () => {
    const { session, model, tools, clock, begin } = startConversation({ greeting: 'Hello, this is Ada.' });
    tools.takesMs = 200;
    await begin();
    for (let turn = 0; turn < TURNS; turn += 1) {
      const usesTool = turn % 2 === 0;
      if (usesTool) model.willSay('Let me look. ', CALL);
      model.willSay(`Answer number ${turn}.`);
      await session.customerSays(`Question number ${turn}?`);
      await clock.advance(300);
      // All of it is heard before the next question.
      await clock.advance(8_000);
    }
    expect(model.requests).toHaveLength(TURNS + TURNS / 2);
    expect(prefixChanges(model.requests)).toEqual([]);
  });

  it('is also kept when the customer is silent, and when the customer continues before the answer', async () => {
    const { session, model, clock, begin } = startConversation();
    await begin();
    model.willSay('Which day?');
    await session.customerSays('An appointment, please.');
    await clock.advance(5_000);
    model.willSay('Are you still there?');
    await clock.advance(31_000);
    model.willSay('Friday.');
    await session.customerSays('Yes, on');
    model.willSay('Friday, then.');
    await session.customerSays('Friday.');
    await clock.advance(5_000);
    expect(model.requests.length).toBeGreaterThanOrEqual(4);
    expect(prefixChanges(model.requests)).toEqual([]);
  });

  it('counts a prompt that changes', async () => {
    const request = {
      messages: [{ role: 'system', text: 'It is 10:00.' }],
      tools: [],
    } as unknown as StreamRequest;
    const later = {
      ...request,
      messages: [{ role: 'system', text: 'It is 10:01.' }],
    } as unknown as StreamRequest;
    expect(
      prefixChanges([
        { ...request, messages: [...request.messages, { role: 'customer', text: 'Hi' }] },
        later,
      ]),
    ).toEqual([1]);
  });
});
