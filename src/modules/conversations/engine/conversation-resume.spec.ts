import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

describe('a conversation whose session broke', () => {
  const history = [
    { role: 'assistant', seq: 1, text: 'Hi, Ada here.' },
    { role: 'customer', seq: 2, text: 'Is Friday free?' },
    { role: 'tool', seq: 3, name: 'check_slot', arguments: { day: 'Friday' }, answer: '{"free":true}' },
    { role: 'assistant', seq: 4, text: 'Friday is' },
  ] as const;

  it('resumes from the stored turns, tools included, without a greeting', async () => {
    const { session, model, recorder, begin } = startConversation(
      { greeting: 'Hi, Ada here.' },
      { history, elapsedSeconds: 60 },
    );
    model.willSay('Sorry for that: Friday is free.');
    await begin();
    const messages = model.requests[0]?.messages.slice(1) ?? [];
    expect(messages.map(({ role }) => role)).toEqual([
      'assistant',
      'customer',
      'assistant',
      'tool',
      'assistant',
      'system',
    ]);
    expect(messages.at(-1)).toMatchObject({ text: expect.stringContaining('The line broke') });
    expect(session.speeches).toEqual(['Sorry for that: Friday is free.']);
    expect([...recorder.turns.keys()]).toEqual([5]);
  });

  it('answers at once when the customer had spoken last', async () => {
    const { session, model, begin } = startConversation(
      {},
      { history: history.slice(0, 2), elapsedSeconds: 10 },
    );
    model.willSay('Friday is free.');
    await begin();
    expect(model.requests[0]?.messages.at(-1)).toEqual({ role: 'customer', text: 'Is Friday free?' });
    expect(session.speeches).toEqual(['Friday is free.']);
  });

  it('counts the time before the break', async () => {
    const { clock, session, model, begin } = startConversation(
      { maxDurationSeconds: 100 },
      { history, elapsedSeconds: 95 },
    );
    model.willSay('Back.');
    await begin();
    await clock.advance(5_000);
    expect(session.speeches.at(-1)).toContain('I have to end the call now');
  });
});
