import { describe, expect, it } from '@jest/globals';
import { ConversationMemory } from './conversation-memory.js';

const lengthOf = (memory: ConversationMemory): number =>
  memory.messages().reduce((sum, message) => sum + JSON.stringify(message).length, 0);

describe('ConversationMemory', () => {
  it('sends the newest entries, 60 to 80 of them, and omits many at once', () => {
    const memory = new ConversationMemory();
    const begins = new Set<string>();
    for (let count = 0; count < 100; count += 1) {
      memory.addCustomer(`Question ${count}?`);
      const messages = memory.messages();
      begins.add(messages[0]?.text ?? '');
      expect(messages.length).toBeGreaterThanOrEqual(Math.min(count * 2 + 1, 59));
      expect(messages.length).toBeLessThanOrEqual(80);
      expect(messages.at(-1)).toMatchObject({ text: `Question ${count}?` });
      memory.addAssistant(`Answer ${count}.`);
    }
    // Of 200 entries; the first 80 begin with the first one.
    expect(begins.size).toBe(7);
  });

  it('sends 100,000 characters at most, results of tools with their calls', () => {
    const memory = new ConversationMemory();
    for (let count = 0; count < 30; count += 1) {
      memory.addCustomer('x'.repeat(2_000));
      const call = { id: `call_${count}`, name: 'look_up', arguments: '{}' };
      memory.addAssistant().tools.push({ call, answer: 'y'.repeat(8_000) });
    }
    const messages = memory.messages();
    expect(lengthOf(memory)).toBeLessThan(110_000);
    const calls = messages.flatMap((message) => ('toolCalls' in message ? message.toolCalls : []));
    const answers = messages.filter(({ role }) => role === 'tool');
    expect([calls.length, answers.length]).toEqual([7, 7]);
  });

  it('sends the last entry with any length', () => {
    const memory = new ConversationMemory();
    memory.addAssistant('Hello.');
    memory.addCustomer('x'.repeat(200_000));
    expect(memory.messages()).toHaveLength(1);
  });
});
