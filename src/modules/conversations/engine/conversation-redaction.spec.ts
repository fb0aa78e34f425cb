import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { redactionOptions } from '../../redaction/redaction-options.js';
import { HOLD_NAMED, TurnRedactor } from '../../redaction/turn-redactor.js';
import { ConversationEngine } from './conversation-engine.js';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

async function startRedacted() {
  const { parts, settings, ...rest } = startConversation();
  const redactor = new TurnRedactor(redactionOptions('en-US'), HOLD_NAMED);
  void new ConversationEngine({ ...parts, redactor }, settings).run();
  return rest;
}

describe('a model that gets no numbers', () => {
  it('reads marks in place of what the customer said and pressed', async () => {
    const { clock, session, model, recorder } = await startRedacted();
    model.willSay('Thanks.').willSay('Fine.');
    await session.customerSays('My card is 4111 1111 1111 1111.');
    await clock.advance(5_000);
    for (const digit of '1234#') await session.emit({ kind: 'digit', digit });
    await clock.advance(5_000);
    const read = JSON.stringify(model.requests.map(({ messages }) => messages));
    expect(read).not.toMatch(/1111|1234/);
    expect(read).toContain('My card is [card number].');
    expect(read).toContain('[keys]');
    // What is stored is redacted by the recorder, which is another one here.
    expect(recorder.lines[0]).toBe('Customer: My card is 4111 1111 1111 1111.');
  });

  it('reads no part of a number later when the next part shows what it is', async () => {
    const { clock, session, model } = await startRedacted();
    model.willSay('Go on.').willSay('Thanks.');
    await session.customerSays('It is 4111 1111');
    await clock.advance(5_000);
    await session.customerSays('1111 1111');
    await clock.advance(5_000);
    expect(model.requests.at(-1)?.messages.filter(({ role }) => role === 'customer')).toEqual([
      { role: 'customer', text: 'It is [card number]' },
      { role: 'customer', text: '[card number]' },
    ]);
  });
});
