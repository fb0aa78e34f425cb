import { describe, expect, it } from '@jest/globals';
import { ConversationMemory } from './conversation-memory.js';

const lengthOf = (memory: ConversationMemory): number =>
  memory.messages().reduce((sum, message) => sum + JSON.stringify(message).length, 0);

describe('ConversationMemory', () => {
  it('sends the newest entries, 80 of them', () => {
    const memory = new ConversationMemory();
    for (let count = 0; count < 100; count += 1) {
      memory.customer(`Question ${count}?`);
      memory.assistant(`Answer ${count}.`);
    }
    const messages = memory.messages();
    expect(messages).toHaveLength(80);
    expect(messages[0]).toEqual({ role: 'customer', text: 'Question 60?' });
    expect(messages.at(-1)).toMatchObject({ text: 'Answer 99.' });
  });

  it('sends 100,000 characters at most, results of tools with their calls', () => {
    const memory = new ConversationMemory();
    for (let count = 0; count < 30; count += 1) {
      memory.customer('x'.repeat(2_000));
      const call = { id: `call_${count}`, name: 'look_up', arguments: '{}' };
      memory.assistant().tools.push({ call, answer: 'y'.repeat(8_000) });
    }
    const messages = memory.messages();
    expect(lengthOf(memory)).toBeLessThan(110_000);
    const calls = messages.flatMap((message) => ('toolCalls' in message ? message.toolCalls : []));
    const answers = messages.filter(({ role }) => role === 'tool');
    expect([calls.length, answers.length]).toEqual([9, 9]);
  });

  it('sends the last entry whatever its length', () => {
    const memory = new ConversationMemory();
    memory.assistant('Hello.');
    memory.customer('x'.repeat(200_000));
    expect(memory.messages()).toHaveLength(1);
  });
});
