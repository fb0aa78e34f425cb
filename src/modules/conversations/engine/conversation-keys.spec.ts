import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

const press = (digits: string) => ({ call: 'send_digits', args: JSON.stringify({ digits }) });

describe('keys that the assistant presses', () => {
  it('are sent after its speech is heard, and the assistant is silent until the menu continues', async () => {
    const { clock, session, model, recorder, begin } = startConversation({
      pressesKeys: true,
      fillers: { neutral: ['Hmm.'] },
    });
    model.willSay('One moment. ', press('2w5#')).willSay('Hello!');
    await begin();
    await session.customerSays('For sales press two five and hash.');
    expect(session.speeches).toEqual(['One moment. ']);
    await clock.advance(5_000);
    expect(session.speeches).toEqual(['One moment. ', '[2w5#]']);
    expect(model.requests).toHaveLength(1);
    expect(recorder.tools).toMatchObject([
      { name: 'send_digits', arguments: { digits: '2w5#' }, outcome: { ok: true, durationMs: 1_400 } },
    ]);
    await session.customerSays('Sales, good morning.');
    expect(session.speeches.at(-1)).toBe('Hello!');
    expect(model.requests[1]?.messages.slice(-2)).toEqual([
      { role: 'tool', callId: 'call_1', text: '{"sent":"2w5#"}' },
      { role: 'customer', text: 'Sales, good morning.' },
    ]);
  });

  it("are not interrupted by a phrase, and the menu's speech meanwhile is answered after them", async () => {
    const { clock, session, model, begin } = startConversation({ pressesKeys: true });
    model.willSay(press('1'.repeat(32))).willSay('Yes?');
    await begin();
    await session.customerSays('Enter your number.');
    await clock.advance(6_000);
    await session.customerSays('Thank you. How can I help?');
    await clock.advance(4_000);
    expect(session.speeches).toEqual([`[${'1'.repeat(32)}]`]);
    await clock.advance(1_000);
    expect(session.speeches.at(-1)).toBe('Yes?');
    expect(model.requests).toHaveLength(2);
  });

  it('are sent one answer after the other', async () => {
    const { clock, session, model, begin } = startConversation({ pressesKeys: true });
    model.willSay(press('12'), press('3'));
    await begin();
    await session.customerSays('Press one two, then three.');
    await clock.advance(1_500);
    expect(session.speeches).toEqual(['[12]']);
    await clock.advance(1_200);
    expect(session.speeches).toEqual(['[12]', '[3]']);
  });

  it.each(['', '1'.repeat(33), '12a', '+491', '1,2', ' 1'])(
    'reports to the model that %j is refused',
    async (digits) => {
      const { clock, session, model, recorder, begin } = startConversation({ pressesKeys: true });
      model.willSay(press(digits)).willSay('I cannot.');
      await begin();
      await session.customerSays('Press one.');
      await clock.advance(2_000);
      expect(session.speeches).toEqual(['I cannot.']);
      expect(model.requests[1]?.messages.at(-1)).toMatchObject({
        role: 'tool',
        text: expect.stringContaining('must be 1 to 32'),
      });
      expect(recorder.tools).toMatchObject([{ outcome: { ok: false } }]);
    },
  );

  it('are not offered in an inbound call', async () => {
    const { session, model, begin } = startConversation({ pressesKeys: false });
    model.willSay('Hello.');
    await begin();
    await session.customerSays('Hello?');
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('send_digits');
  });

  it('are replaced by a tool of the same name', async () => {
    const own = { id: 3, name: 'send_digits', description: 'Mine.', parameters: [] };
    const { session, model, tools, begin } = startConversation({ pressesKeys: true, tools: [own] });
    model.willSay({ call: 'send_digits', args: '{}' }).willSay('Done.');
    await begin();
    await session.customerSays('Go.');
    expect(tools.runs).toEqual([{ name: 'send_digits', args: {} }]);
    expect(model.requests[0]?.tools.filter(({ name }) => name === 'send_digits')).toHaveLength(1);
  });

  it('come before the sentence that ends the call at its limit', async () => {
    const { clock, session, model, begin } = startConversation({ pressesKeys: true, maxDurationSeconds: 20 });
    model.willSay(press('1'.repeat(32)));
    await begin();
    await clock.advance(14_000);
    await session.customerSays('Enter your number.');
    await clock.advance(9_000);
    expect(session.speeches).toEqual([expect.stringContaining('[1')]);
    await clock.advance(4_000);
    expect(session.speeches.at(-1)).toContain('end the call now');
  });
});
