import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

const LONG = 'We have three appointments this week, on Monday, Tuesday and Friday.';

describe('interruptions', () => {
  it('stops the model, ends the running speech and keeps the heard part', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay('We have three ', { waitMs: 100 }, 'appointments.').willSay('Of course.');
    await begin();
    await session.customerSays('When?');
    await session.interrupt('We have');
    await clock.advance(200);
    expect(session.frames.map(({ token, last }) => [token, last])).toEqual([
      ['We have three ', false],
      ['', true],
    ]);
    await session.customerSays('Only mornings.');
    expect(recorder.lines).toEqual([
      'Customer: When?',
      'AI: We have',
      'Customer: Only mornings.',
      'AI: Of course.',
    ]);
    expect(model.requests[1]?.messages.slice(1)).toContainEqual({
      role: 'assistant',
      text: 'We have',
      toolCalls: [],
    });
  });

  it('truncates a stored turn that is not heard to its end', async () => {
    const { session, model, recorder, begin } = startConversation();
    model.willSay(LONG);
    await begin();
    await session.customerSays('When?');
    expect(recorder.lines[1]).toBe(`AI: ${LONG}`);
    await session.interrupt('We have three appointments');
    expect(recorder.lines[1]).toBe('AI: We have three appointments');
    expect(recorder.turns.get(2)?.interrupted).toBe(true);
    expect(session.frames.filter(({ last }) => last)).toHaveLength(1);
  });

  it('removes a turn without a heard part', async () => {
    const { session, model, recorder, begin } = startConversation();
    model.willSay(LONG).willSay('Yes?');
    await begin();
    await session.customerSays('When?');
    await session.interrupt('');
    await session.customerSays('Wait.');
    expect(recorder.lines).toEqual(['Customer: When?', 'Customer: Wait.', 'AI: Yes?']);
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: 'customer', text: 'When?' },
      { role: 'customer', text: 'Wait.' },
    ]);
  });

  it('cuts the greeting, too', async () => {
    const { session, recorder, begin } = startConversation({ greeting: LONG });
    await begin();
    await session.interrupt('We have three');
    expect(recorder.lines).toEqual(['AI: We have three']);
  });

  it('finds the heard part when the report spells words differently', async () => {
    const { session, recorder, begin } = startConversation({ greeting: 'It costs 20 € a month.' });
    await begin();
    await session.interrupt('It costs twenty');
    expect(recorder.lines).toEqual(['AI: It costs 20']);
  });

  it('lets a single word begin a turn while the assistant is silent', async () => {
    const { session, model, begin } = startConversation({ minInterruptWords: 3 });
    model.willSay('Good.');
    await begin();
    await session.customerSays('Yes');
    expect(session.speeches).toEqual(['Good.']);
  });

  it('counts words itself while the assistant speaks: too few are ignored, enough interrupt', async () => {
    const { clock, session, model, recorder, begin } = startConversation({ minInterruptWords: 3 });
    model.willSay(LONG).willSay('Mornings then.');
    await begin();
    await session.customerSays('When are you open?');
    await clock.advance(1500);
    await session.customerSays('uh-huh');
    expect(model.requests).toHaveLength(1);
    await session.customerSays('only in the mornings');
    expect(session.speeches).toEqual([LONG, 'Mornings then.']);
    expect(session.frames[0]?.options).toEqual({ interruptible: false, preemptible: true });
    expect(recorder.lines).toEqual([
      'Customer: When are you open?',
      'AI: We have three',
      'Customer: uh-huh',
      'Customer: only in the mornings',
      'AI: Mornings then.',
    ]);
  });

  it('prefers reports of played text to its own estimate', async () => {
    const { clock, session, model, recorder, begin } = startConversation({ minInterruptWords: 2 });
    model.willSay(LONG);
    await begin();
    await session.customerSays('When are you open?');
    await session.emit({ kind: 'played', text: 'We have three appointments this week,' });
    await clock.advance(500);
    await session.customerSays('all right, thanks');
    expect(recorder.lines[1]).toBe('AI: We have three appointments this week,');
  });

  it('answers after its own speech when interruptions are not allowed', async () => {
    const { clock, session, model, recorder, begin } = startConversation({ allowInterruptions: false });
    model.willSay(LONG).willSay('Now to you.');
    await begin();
    await session.customerSays('When?');
    await session.customerSays('But I only have mornings!');
    await clock.advance(1000);
    expect(session.speeches).toEqual([LONG]);
    expect(session.frames[0]?.options).toEqual({ interruptible: false, preemptible: false });
    await clock.advance(LONG.length * 60);
    expect(session.speeches).toEqual([LONG, 'Now to you.']);
    expect(recorder.lines[1]).toBe(`AI: ${LONG}`);
  });

  it('does not stop a model before its speech when only noise is detected', async () => {
    const { clock, session, model, begin } = startConversation({ fillers: { neutral: ['Let me see.'] } });
    model.willSay({ waitMs: 1000 }, 'Here it is.');
    await begin();
    await session.customerSays('Look it up.');
    await clock.advance(800);
    await session.interrupt('Let me');
    await clock.advance(300);
    expect(session.speeches).toEqual(['Let me see.', 'Here it is.']);
  });

  it('stops earlier speech once enough words are recognised', async () => {
    const { clock, session, model, recorder, begin } = startConversation({
      minInterruptWords: 2,
      greeting: LONG,
    });
    model.willSay({ waitMs: 1_000 }, 'Mornings then.');
    await begin();
    await session.emit({ kind: 'speaking', who: 'assistant', on: true });
    await clock.advance(1_500);
    await session.customerSays('only mornings please');
    expect(session.frames).toEqual([
      { token: ' ', last: true, options: { interruptible: false, preemptible: true } },
    ]);
    expect(model.requests[0]?.messages.at(1)).toMatchObject({ role: 'assistant', text: 'We have three' });
    await clock.advance(400);
    await session.emit({ kind: 'speaking', who: 'assistant', on: false });
    expect(recorder.lines[0]).toBe('AI: We have three appointments this');
    await clock.advance(600);
    expect(session.speeches).toEqual(['Mornings then.']);
    expect(recorder.lines).toEqual([
      'AI: We have three appointments this',
      'Customer: only mornings please',
      'AI: Mornings then.',
    ]);
  });

  it('keeps speech that was heard to its end although it was interrupted', async () => {
    const { clock, session, model, recorder, begin } = startConversation({ minInterruptWords: 2 });
    model.willSay(LONG).willSay({ waitMs: 2_000 }, 'Fine.');
    await begin();
    await session.customerSays('When?');
    await clock.advance(3_500);
    await session.customerSays('that is good');
    await session.emit({ kind: 'played', text: LONG });
    await clock.advance(3_000);
    expect(recorder.lines[1]).toBe(`AI: ${LONG}`);
    expect(recorder.turns.get(2)?.interrupted).toBe(false);
    expect(session.speeches).toEqual([LONG, 'Fine.']);
  });
});

describe('a sound without words', () => {
  it('is noise: the speech continues after 2 s where it was heard', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay(LONG).willSay('Yes.');
    await begin();
    await session.customerSays('When?');
    await session.interrupt('We have three appointments');
    await clock.advance(1_999);
    expect(session.speeches).toEqual([LONG]);
    await clock.advance(1);
    expect(session.speeches).toEqual([LONG, 'this week, on Monday, Tuesday and Friday.']);
    await clock.advance(10_000);
    expect(recorder.lines).toEqual([
      'Customer: When?',
      'AI: We have three appointments',
      'AI: this week, on Monday, Tuesday and Friday.',
    ]);
    await session.customerSays('Is that all?');
    expect(model.requests[1]?.messages[2]).toMatchObject({ role: 'assistant', text: LONG });
    expect(model.requests).toHaveLength(2);
  });

  it('keeps the text of the model meanwhile', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay('We have three ', { waitMs: 1_000 }, 'appointments ', { waitMs: 3_000 }, 'on Friday.');
    await begin();
    await session.customerSays('When?');
    await session.interrupt('We have');
    await clock.advance(1_999);
    expect(session.speeches).toEqual(['We have three ']);
    await clock.advance(2_001);
    expect(session.speeches).toEqual(['We have three ', 'three appointments on Friday.']);
    expect(recorder.lines).toEqual(['Customer: When?', 'AI: We have', 'AI: three appointments on Friday.']);
  });

  it('waits longer while the customer speaks, and is dropped when words come', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay(LONG).willSay('Mornings then.');
    await begin();
    await session.customerSays('When?');
    await session.interrupt('We have');
    await session.emit({ kind: 'speaking', who: 'customer', on: true });
    await clock.advance(4_000);
    await session.customerSays('Only in the mornings.');
    await clock.advance(10_000);
    expect(session.speeches).toEqual([LONG, 'Mornings then.']);
    expect(recorder.lines).toEqual([
      'Customer: When?',
      'AI: We have',
      'Customer: Only in the mornings.',
      'AI: Mornings then.',
    ]);
  });

  it.each([
    ['en-US', 'Uh-huh.'],
    ['de-DE', 'Genau.'],
  ])('in %s includes "%s": the speech continues at once', async (language, word) => {
    const { session, model, recorder, begin } = startConversation({ language });
    model.willSay(LONG);
    await begin();
    await session.customerSays('Wann?');
    await session.interrupt('We have three');
    await session.customerSays(word);
    expect(session.speeches).toEqual([LONG, 'appointments this week, on Monday, Tuesday and Friday.']);
    expect(model.requests).toHaveLength(1);
    expect(recorder.lines).toEqual([
      'Customer: Wann?',
      'AI: We have three',
      `Customer: ${word}`,
      'AI: appointments this week, on Monday, Tuesday and Friday.',
    ]);
  });

  it('is an answer when the question is almost complete', async () => {
    const { session, model, begin } = startConversation();
    model.willSay('Shall I book that?').willSay('Booked.');
    await begin();
    await session.customerSays('Friday.');
    await session.interrupt('Shall I book');
    await session.customerSays('Okay.');
    expect(session.speeches).toEqual(['Shall I book that?', 'Booked.']);
  });

  it('does not count as silence of the customer', async () => {
    const { clock, session, model, begin } = startConversation({ maxSilenceSeconds: 1 });
    model.willSay(LONG);
    await begin();
    await session.customerSays('When?');
    await session.interrupt('We have');
    await clock.advance(2_500);
    expect(session.speeches).toHaveLength(2);
    expect(session.ended).toBeNull();
  });
});

describe('keys', () => {
  it('pressed during speech that may not be interrupted are answered after it', async () => {
    const { clock, session, model, begin } = startConversation({ allowInterruptions: false });
    model.willSay(LONG).willSay('You chose one.');
    await begin();
    await session.customerSays('When?');
    await session.emit({ kind: 'digit', digit: '1' });
    await clock.advance(LONG.length * 60);
    expect(session.speeches).toEqual([LONG, 'You chose one.']);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: '[keys pressed: 1]' });
  });

  it('pressed shortly before the end are in the record', async () => {
    const { session, recorder, begin } = startConversation();
    await begin();
    await session.emit({ kind: 'digit', digit: '1' });
    await session.emit({ kind: 'closed' });
    expect(recorder.lines).toEqual(['Customer: [keys pressed: ****]']);
  });
});
