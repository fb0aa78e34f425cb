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

  it('takes a greeting that the carrier says again for the beginning', async () => {
    const { session, model, recorder, begin } = startConversation(
      { greeting: 'Hi, Ada here.' },
      { history: [{ role: 'assistant', seq: 1, text: 'Hi,' }], elapsedSeconds: 5, repeatsGreeting: true },
    );
    model.willSay('Yes?');
    await begin();
    expect(model.requests).toHaveLength(0);
    await session.happens({ kind: 'played', text: 'Hi, Ada here.' });
    await session.customer('Hello?');
    expect(recorder.lines).toEqual(['AI: Hi, Ada here.', 'Customer: Hello?', 'AI: Yes?']);
  });
});

describe('a conversation whose process may die', () => {
  it('tells every 2 s how far a turn was played', async () => {
    const { clock, recorder, begin } = startConversation({ greeting: 'one two three four '.repeat(10) });
    await begin();
    await clock.advance(5_000);
    expect(recorder.turns.get(1)?.timings).toMatchObject({ textFirst: 0, playing: 4_000 });
  });

  it('stores what was heard of an answer that the model has not finished', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay('one two three four five six seven eight nine ten ', { waitMs: 5_000 }, 'eleven.');
    await begin();
    await session.customer('Count!');
    await clock.advance(2_000);
    expect(recorder.lines[1]).toBe('AI: one two three four five six');
    await clock.advance(10_000);
    expect(recorder.lines).toEqual([
      'Customer: Count!',
      'AI: one two three four five six seven eight nine ten eleven.',
    ]);
  });

  it.each([
    ['that is over stores what was heard', undefined, 'AI: We are open'],
    [
      'that another process takes over stores what was sent',
      true as const,
      'AI: We are open from nine to five.',
    ],
  ])('a session %s', async (_, playsOn, stored) => {
    const { begin, clock, session, model, recorder } = startConversation();
    model.willSay('We are open from nine to five.');
    await begin();
    await session.customer('When are you open?');
    await clock.advance(1_000);
    await session.happens({ kind: 'closed', ...(playsOn && { playsOn }) });
    expect(recorder.lines).toEqual(['Customer: When are you open?', stored]);
  });
});
