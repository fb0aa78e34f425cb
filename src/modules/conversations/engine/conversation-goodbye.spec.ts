import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

describe('the goodbye', () => {
  it('does not end when the customer interrupts the goodbye', async () => {
    const { clock, session, model, recorder, begin, result } = startConversation();
    model.willSay('I have put you down for Thursday. Goodbye.', { call: 'end_call' });
    model.willSay('On Friday, then.').willSay('Bye.', { call: 'end_call' });
    await begin();
    await session.customerSays('That is all.');
    await session.interrupt('I have put you down for Thursday');
    await session.customerSays('Wait, I said Friday!');
    expect(session.ended).toBeNull();
    expect(session.speeches.at(-1)).toBe('On Friday, then.');
    expect(recorder.lines.slice(1)).toEqual([
      'AI: I have put you down for Thursday',
      'Customer: Wait, I said Friday!',
      'AI: On Friday, then.',
    ]);
    await clock.advance(3_000);
    await session.customerSays('Thank you, bye.');
    await clock.advance(5_000);
    expect(result()).toEqual({ endedBy: 'assistant', reason: 'goodbye' });
    expect(model.requests).toHaveLength(3);
  });

  it.each([
    ['another call', 'stop_calling', 20],
    ['a longer one', 'end_call', 3],
  ])('is not delayed for a customer who may have no %s', async (_, call, maxDurationSeconds) => {
    const { clock, session, model, begin } = startConversation({ maxDurationSeconds });
    model.willSay('Then I wish you a very nice day, and thank you again. Goodbye.', { call });
    await begin();
    await session.customerSays('That is all.');
    await clock.advance(3_000);
    await session.customerSays('Wait, one more thing!');
    await clock.advance(5_000);
    expect([session.ended, model.requests.length]).toEqual([expect.any(String), 1]);
    expect(session.speeches).toHaveLength(1);
  });
});
