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

  it('answers at once when the customer spoke last', async () => {
    const { session, model, begin } = startConversation(
      {},
      { history: history.slice(0, 2), elapsedSeconds: 10 },
    );
    model.willSay('Friday is free.');
    await begin();
    expect(model.requests[0]?.messages.at(-1)).toEqual({ role: 'customer', text: 'Is Friday free?' });
    expect(session.speeches).toEqual(['Friday is free.']);
  });

  it('answers the customer instead of speaking about the break when both are due at once', async () => {
    const { session, model, begin } = startConversation({}, { history, elapsedSeconds: 10 });
    session.early.push({ kind: 'utterance', text: 'And Monday?', final: true });
    model.willSay('Monday is free, too.');
    await begin();
    expect(model.requests.map(({ messages }) => messages.at(-1))).toEqual([
      { role: 'customer', text: 'And Monday?' },
    ]);
    expect(session.speeches).toEqual(['Monday is free, too.']);
  });

  it('answers at once with the stored results of tools', async () => {
    const { session, model, begin } = startConversation(
      {},
      { history: history.slice(0, 3), elapsedSeconds: 10 },
    );
    model.willSay('Friday is free.');
    await begin();
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', text: '{"free":true}' });
    expect(session.speeches).toEqual(['Friday is free.']);
  });

  it('does not speak to a recorded menu after keys are pressed', async () => {
    const pressed = {
      role: 'tool',
      seq: 3,
      name: 'send_digits',
      arguments: { digits: '1' },
      answer: '{}',
    } as const;
    const { model, begin } = startConversation(
      {},
      { history: [...history.slice(0, 2), pressed], elapsedSeconds: 10, isAnswered: true },
    );
    await begin();
    expect(model.requests).toHaveLength(0);
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

  it('notifies a customer who waits for the answer that it follows', async () => {
    const { clock, session, model, begin } = startConversation(
      {},
      { history: history.slice(0, 2), elapsedSeconds: 10 },
    );
    model.willSay({ waitMs: 2_000 }, 'Friday is free.');
    await begin();
    await clock.advance(2_000);
    expect(session.speeches).toEqual(['One moment, please.', 'Friday is free.']);
  });

  describe('a conversation whose carrier opens it again, in this process', () => {
    const sent = { seq: 4, text: 'Friday is', timings: { textFirst: 0, playing: 0 } };

    it('plays an answer that was sent in full', async () => {
      const { session, model, recorder, begin } = startConversation(
        {},
        {
          history,
          elapsedSeconds: 10,
          playing: [{ ...sent, timings: { ...sent.timings, textLast: 1 } }],
          isAnswered: true,
        },
      );
      await begin();
      expect(model.requests).toHaveLength(0);
      expect(session.speeches).toEqual([]);
      await session.emit({ kind: 'played', text: 'Friday is' });
      expect([...recorder.played.keys()]).toEqual([4]);
    });

    it('prompts a silent customer, whose words may be lost', async () => {
      const { clock, session, model, begin } = startConversation(
        {},
        { history, elapsedSeconds: 10, playing: [], isAnswered: true },
      );
      model.willSay('Would Friday suit you?');
      await begin();
      await clock.advance(2_999);
      expect(session.speeches).toEqual([]);
      await clock.advance(1);
      expect(session.speeches).toEqual(['Would Friday suit you?']);
    });

    it('ends a partly sent answer, stores the heard part, and continues', async () => {
      const { session, model, recorder, begin } = startConversation(
        {},
        { history, elapsedSeconds: 10, playing: [sent] },
      );
      model.willSay('Friday is free.');
      await begin();
      expect(session.frames[0]).toMatchObject({ token: '', last: true });
      await session.emit({ kind: 'played', text: 'Friday is free at' });
      expect(recorder.lines).toEqual(['AI: Friday is free at', 'AI: Friday is free.']);
    });

    it('cuts what the customer interrupts of it', async () => {
      const { session, recorder, begin } = startConversation(
        {},
        {
          history,
          elapsedSeconds: 10,
          playing: [{ ...sent, timings: { ...sent.timings, textLast: 1 } }],
          isAnswered: true,
        },
      );
      recorder.turns.set(4, {
        seq: 4,
        role: 'assistant',
        kind: 'speech',
        text: sent.text,
        interrupted: false,
        timings: {},
      });
      await begin();
      await session.interrupt('Friday');
      expect(recorder.lines).toEqual(['AI: Friday']);
    });
  });

  it('continues a filler, which the model does not see, and counts on after it', async () => {
    const { clock, session, model, recorder, begin } = startConversation(
      {},
      {
        history: [...history.slice(0, 2), { role: 'filler', seq: 7 }],
        elapsedSeconds: 10,
        playing: [
          { seq: 7, text: 'One moment, please.', timings: { textFirst: 0, textLast: 1, playing: 0 } },
        ],
      },
    );
    model.willSay({ waitMs: 400 }, 'Friday is free.');
    await begin();
    await session.emit({ kind: 'played', text: 'One moment, please.' });
    await clock.advance(400);
    expect([...recorder.played.keys()]).toEqual([7]);
    expect([...recorder.turns.keys()]).toEqual([8]);
    expect(JSON.stringify(model.requests)).not.toContain('One moment');
  });

  it('treats a greeting that the carrier repeats as the beginning', async () => {
    const { session, model, recorder, begin } = startConversation(
      { greeting: 'Hi, Ada here.' },
      { history: [{ role: 'assistant', seq: 1, text: 'Hi,' }], elapsedSeconds: 5, repeatsGreeting: true },
    );
    model.willSay('Yes?');
    await begin();
    expect(model.requests).toHaveLength(0);
    await session.emit({ kind: 'played', text: 'Hi, Ada here.' });
    await session.customerSays('Hello?');
    expect(recorder.lines).toEqual(['AI: Hi, Ada here.', 'Customer: Hello?', 'AI: Yes?']);
  });
});

describe('a conversation whose process may terminate', () => {
  it('stores the sent part of an answer that the model has not finished', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay('one two ', { waitMs: 1_000 }, 'three ', { waitMs: 5_000 }, 'four.');
    await begin();
    await session.customerSays('Count!');
    expect(recorder.lines[1]).toBe('AI: one two');
    await clock.advance(1_000);
    expect(recorder.turns.get(2)).toMatchObject({
      text: 'one two three',
      timings: { textFirst: 0, playing: 0 },
    });
    expect(recorder.turns.get(2)?.timings.textLast).toBeUndefined();
    await clock.advance(5_000);
    expect(recorder.turns.get(2)).toMatchObject({
      text: 'one two three four.',
      timings: { textLast: 6_000 },
    });
  });

  it('leaves the answer to words that arrive during a move to the process that takes the session over', async () => {
    const { begin, clock, session, model, recorder } = startConversation();
    model.willSay('We are open from nine to five.');
    await begin();
    await session.emit({ kind: 'leaving' });
    await session.customerSays('When are you open?');
    await clock.advance(1_000);
    await session.emit({ kind: 'closed', playsOn: true });
    expect(session.speeches).toEqual([]);
    expect(recorder.lines).toEqual(['Customer: When are you open?']);
  });

  it.each([
    ['that is over stores what was heard', undefined, 'AI: We are open from'],
    [
      'that another process takes over stores what was sent',
      true as const,
      'AI: We are open from nine to five.',
    ],
  ])('a session %s', async (_, playsOn, stored) => {
    const { begin, clock, session, model, recorder } = startConversation();
    model.willSay('We are open from nine to five.');
    await begin();
    await session.customerSays('When are you open?');
    await clock.advance(1_000);
    await session.emit({ kind: 'closed', ...(playsOn && { playsOn }) });
    expect(recorder.lines).toEqual(['Customer: When are you open?', stored]);
  });
});
