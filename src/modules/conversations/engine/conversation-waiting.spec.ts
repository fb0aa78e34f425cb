import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { LanguageModelError } from '../../llm/language-model.js';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

describe('a slow model', () => {
  it('is covered by a phrase after 2.5 s and every 5 s, which is recorded but not sent to the model', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay({ waitMs: 9_500 }, 'Here.');
    await begin();
    await session.customerSays('Find it.');
    await clock.advance(2_499);
    expect(session.speeches).toEqual([]);
    await clock.advance(1);
    expect(session.speeches).toEqual(['One moment, please.']);
    await clock.advance(5_000);
    expect(session.speeches).toEqual(['One moment, please.', 'I am still working on it.']);
    await clock.advance(2_000);
    expect(session.speeches.at(-1)).toBe('Here.');
    expect(recorder.lines).toEqual([
      'Customer: Find it.',
      'AI: One moment, please.',
      'AI: I am still working on it.',
      'AI: Here.',
    ]);
    expect([...recorder.turns.values()].map(({ kind }) => kind)).toEqual([
      'speech',
      'filler',
      'filler',
      'speech',
    ]);
    await clock.advance(20_000);
    expect(session.speeches).toHaveLength(3);
    await session.customerSays('And then?');
    expect(JSON.stringify(model.requests[1])).not.toContain('One moment');
  });

  it.each([
    ['One', ['Customer: Find it.', 'AI: One']],
    ['', ['Customer: Find it.']],
  ])('is covered by a phrase of which only %p is heard and recorded', async (heard, lines) => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay({ waitMs: 9_500 }, 'Here.').willSay('Yes?');
    await begin();
    await session.customerSays('Find it.');
    await clock.advance(2_700);
    await session.interrupt(heard);
    expect(recorder.lines).toEqual(lines);
    await session.customerSays('Stop.');
    await clock.advance(1_000);
    expect(recorder.lines).toEqual([...lines, 'Customer: Stop.', 'AI: Yes?']);
    expect(model.requests[1]?.messages.slice(1).map(({ role }) => role)).toEqual(['customer', 'customer']);
  });

  it('is covered by a phrase that is recorded as far as it was heard when the customer hangs up', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay({ waitMs: 9_500 }, 'Here.');
    await begin();
    await session.customerSays('Find it.');
    await clock.advance(2_500 + 600);
    await session.emit({ kind: 'closed' });
    expect(recorder.lines).toEqual(['Customer: Find it.', 'AI: One']);
  });

  it.each([
    [1_500, 1_000],
    [2_400, 700],
  ])('is covered counted from the end of speech, when the words came %i ms after it', async (ms, thenMs) => {
    const { clock, session, model, begin } = startConversation();
    model.willSay({ waitMs: 9_500 }, 'Here.');
    Object.assign(session, { maxTranscriptDelayMs: 3_000 });
    await begin();
    for (const on of [true, false]) await session.emit({ kind: 'speaking', who: 'customer', on });
    await clock.advance(ms);
    await session.customerSays('Find it.');
    await clock.advance(thenMs - 1);
    expect(session.speeches).toEqual([]);
    await clock.advance(1);
    expect(session.speeches).toEqual(['One moment, please.']);
  });

  it('is aborted after 10 s without text or a tool call, with a sentence', async () => {
    const { clock, session, model, begin, result } = startConversation();
    model.willSay({ waitMs: 60_000 }, 'Too late.');
    await begin();
    await session.customerSays('Hello?');
    await clock.advance(9_999);
    expect(session.speeches.join()).not.toContain('technical problem');
    await clock.advance(1);
    expect(session.speeches.at(-1)).toContain('technical problem');
    await clock.advance(10_000);
    expect(result()).toEqual({ endedBy: 'system', reason: 'model_error' });
    expect(model.requests).toHaveLength(1);
  });

  it('has 10 s for both of its attempts', async () => {
    const { clock, session, model, begin } = startConversation();
    model.willSay({ waitMs: 6_000 }, { failure: new LanguageModelError('down', true, 503) });
    model.willSay({ waitMs: 6_000 }, 'Too late.');
    await begin();
    await session.customerSays('Hello?');
    await clock.advance(10_000);
    expect(session.speeches.at(-1)).toContain('technical problem');
  });
});

describe('while the customer speaks', () => {
  const speaks = (on: boolean) => ({ kind: 'speaking', who: 'customer', on }) as const;
  const CALL = { call: 'check_slot', args: '{"day":"Friday"}' };

  it('delays the answer until the words arrive, and answers once', async () => {
    const { clock, session, model, tools, begin } = startConversation();
    tools.takesMs = 1_000;
    model.willSay(CALL).willSay('Friday at nine is free.');
    await begin();
    await session.customerSays('Is Friday free?');
    await clock.advance(500);
    await session.emit(speaks(true));
    await clock.advance(3_000);
    expect(model.requests).toHaveLength(1);
    await session.emit(speaks(false));
    await clock.advance(300);
    await session.customerSays('At nine, I mean.');
    await clock.advance(10_000);
    expect(session.speeches).toEqual(['Friday at nine is free.']);
    expect(model.requests).toHaveLength(2);
  });

  it('delays it for 5 s at most', async () => {
    const { clock, session, model, begin } = startConversation();
    model.willSay({ waitMs: 1_000 }, 'Friday.');
    await begin();
    await session.customerSays('When?');
    await session.emit(speaks(true));
    await clock.advance(5_999);
    expect(session.speeches).toEqual([]);
    await clock.advance(1);
    expect(session.speeches).toEqual(['Friday.']);
  });

  it('continues when the sound has no words', async () => {
    const { clock, session, model, begin } = startConversation();
    model.willSay({ waitMs: 1_000 }, 'Friday.');
    await begin();
    await session.customerSays('When?');
    await session.emit(speaks(true));
    await clock.advance(1_200);
    await session.emit(speaks(false));
    await clock.advance(999);
    expect(session.speeches).toEqual([]);
    await clock.advance(1);
    expect(session.speeches).toEqual(['Friday.']);
  });

  it('speaks the filler in place of the first waiting phrase when the words were late', async () => {
    const { clock, session, model, begin } = startConversation({ fillers: { neutral: ['Let me see.'] } });
    model.willSay({ waitMs: 8_500 }, 'Friday.');
    await begin();
    await session.customerSays('When?');
    await session.emit(speaks(true));
    await clock.advance(1_000);
    await session.emit(speaks(false));
    await clock.advance(1_500);
    expect(session.speeches).toEqual(['Let me see.']);
    await clock.advance(5_000);
    expect(session.speeches).toEqual(['Let me see.', 'One moment, please.']);
  });

  it('speaks no filler and no waiting phrase', async () => {
    const { clock, session, model, begin } = startConversation({ fillers: { neutral: ['Let me see.'] } });
    model.willSay({ waitMs: 4_500 }, 'Friday.');
    await begin();
    await session.customerSays('When?');
    await session.emit(speaks(true));
    await clock.advance(4_400);
    expect(session.speeches).toEqual([]);
  });
});
