import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

const SILENCE = 'I cannot hear anything, so I will end the call now. Goodbye.';

describe('silence', () => {
  it('speaks to a silent customer, and ends when the silence lasts', async () => {
    const { clock, session, model, recorder, begin, result } = startConversation({ greeting: 'Hi.' });
    model.willSay('Are you there?');
    await begin();
    await session.emit({ kind: 'played', text: 'Hi.' });
    await clock.advance(29_999);
    expect(model.requests).toHaveLength(0);
    await clock.advance(1);
    expect(session.speeches).toEqual(['Are you there?']);
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({
      role: 'system',
      text: expect.stringContaining('silent'),
    });
    await session.emit({ kind: 'played', text: 'Are you there?' });
    await clock.advance(9_999);
    expect(session.ended).toBeNull();
    await clock.advance(1);
    expect(session.speeches.at(-1)).toBe(SILENCE);
    await clock.advance(5_000);
    expect(session.ended).toBe('silence');
    expect(result()).toEqual({ endedBy: 'system', reason: 'silence' });
    expect(recorder.lines).toEqual(['AI: Hi.', 'AI: Are you there?', `AI: ${SILENCE}`]);
  });

  it('counts from the beginning when the customer is to speak first', async () => {
    const { clock, session, begin } = startConversation({ reengagementSeconds: 7, maxSilenceSeconds: 5 });
    await begin();
    await clock.advance(5000);
    expect(session.speeches).toEqual([SILENCE]);
    await clock.advance(5_000);
    expect(session.ended).toBe('silence');
  });

  it('has a limit of its own until the customer speaks', async () => {
    const settings = { reengagementSeconds: 100, maxSilenceSeconds: 20, maxInitialSilenceSeconds: 5 };
    const silent = startConversation(settings);
    await silent.begin();
    await silent.clock.advance(5_000);
    expect(silent.session.speeches).toEqual([SILENCE]);
    const heard = startConversation(settings);
    await heard.begin();
    heard.model.willSay('Yes?');
    await heard.clock.advance(4_000);
    await heard.session.customerSays('Hello?');
    await heard.session.emit({ kind: 'played', text: 'Yes?' });
    await heard.clock.advance(19_999);
    expect(heard.session.speeches).toEqual(['Yes?']);
    await heard.clock.advance(1);
    expect(heard.session.speeches).toEqual(['Yes?', SILENCE]);
  });

  it("sends the model the assistant's instruction for silence", async () => {
    const { clock, model, begin } = startConversation({ reengagementPrompt: 'Offer a callback.' });
    model.willSay('Shall we call back?');
    await begin();
    await clock.advance(30_000);
    expect(model.requests[0]?.messages.at(-1)).toEqual({ role: 'system', text: 'Offer a callback.' });
  });

  it('restarts with every action of the customer', async () => {
    const { clock, session, begin } = startConversation({ reengagementSeconds: 100, maxSilenceSeconds: 10 });
    await begin();
    for (const event of [
      { kind: 'utterance', text: 'I…', final: false },
      { kind: 'speaking', who: 'customer', on: false },
      { kind: 'interrupted', heard: '' },
    ] as const) {
      await clock.advance(9_000);
      await session.emit(event);
    }
    await clock.advance(9_999);
    expect(session.speeches).toEqual([]);
    await clock.advance(1);
    expect(session.speeches).toEqual([SILENCE]);
  });

  it('is paused while the assistant speaks or prepares an answer and while the customer speaks', async () => {
    const { clock, session, model, begin } = startConversation({
      reengagementSeconds: 100,
      maxSilenceSeconds: 10,
    });
    model.willSay({ waitMs: 9_000 }, 'word '.repeat(200));
    await begin();
    await clock.advance(9_000);
    await session.customerSays('Tell me everything.');
    await clock.advance(9_000 + 50_000);
    expect(session.ended).toBeNull();
    await session.emit({ kind: 'played', text: 'word '.repeat(200) });
    await clock.advance(5_000);
    await session.emit({ kind: 'speaking', who: 'customer', on: true });
    await clock.advance(20_000);
    expect(session.ended).toBeNull();
    await session.emit({ kind: 'speaking', who: 'customer', on: false });
    await clock.advance(9_999);
    expect(session.speeches).not.toContain(SILENCE);
    await clock.advance(1);
    expect(session.speeches.at(-1)).toBe(SILENCE);
  });

  it('counts again when the session never reports that the customer stopped speaking', async () => {
    const { clock, session, begin } = startConversation({ reengagementSeconds: 100, maxSilenceSeconds: 10 });
    await begin();
    await session.emit({ kind: 'speaking', who: 'customer', on: true });
    await clock.advance(39_999);
    expect(session.speeches).toEqual([]);
    await clock.advance(1);
    expect(session.speeches).toEqual([SILENCE]);
  });

  it('is paused while a tool runs', async () => {
    const { clock, session, model, tools, begin } = startConversation({ maxSilenceSeconds: 10 });
    tools.takesMs = 25_000;
    model.willSay({ call: 'check_slot', args: '{"day":"Friday"}' }).willSay('Free.');
    await begin();
    await session.customerSays('Friday?');
    await clock.advance(25_000);
    expect(session.ended).toBeNull();
    expect(session.speeches.at(-1)).toBe('Free.');
    expect(session.speeches).not.toContain(SILENCE);
  });
});

describe('the longest duration', () => {
  it('ends with a goodbye that is played', async () => {
    const { clock, session, recorder, begin, result } = startConversation({
      maxDurationSeconds: 20,
      greeting: 'Hi.',
    });
    await begin();
    await clock.advance(20_000);
    expect(session.speeches).toEqual(['I have to end the call now. Thank you for your time, goodbye.']);
    expect(session.ended).toBeNull();
    await clock.advance(2_000);
    await session.emit({ kind: 'speaking', who: 'assistant', on: true });
    await session.emit({
      kind: 'played',
      text: 'I have to end the call now. Thank you for your time, goodbye.',
    });
    expect(session.ended).toBe('max_duration');
    expect(result()).toEqual({ endedBy: 'system', reason: 'max_duration' });
    expect(recorder.lines.at(-1)).toContain('goodbye');
  });

  it('speaks the goodbye in the language of the call', async () => {
    const { clock, session, begin } = startConversation({ maxDurationSeconds: 20, language: 'de-AT' });
    await begin();
    await clock.advance(20_000);
    expect(session.speeches[0]).toContain('auf Wiederhören');
  });

  it('stops a running model and tool', async () => {
    const { clock, session, model, tools, begin, result } = startConversation({ maxDurationSeconds: 20 });
    tools.takesMs = 60_000;
    model.willSay({ call: 'check_slot', args: '{"day":"Friday"}' });
    await begin();
    await session.customerSays('Friday?');
    await clock.advance(26_000);
    expect(model.requests).toHaveLength(1);
    expect(result()).toMatchObject({ reason: 'max_duration' });
  });
});

describe('the end', () => {
  it('waits until the goodbye of end_call is played', async () => {
    const { clock, session, model, recorder, begin, result } = startConversation();
    model.willSay('Goodbye, Tom.', { call: 'end_call' });
    await begin();
    await session.customerSays('Bye!');
    await clock.advance(500);
    expect(session.ended).toBeNull();
    await session.emit({ kind: 'played', text: 'Goodbye, Tom.' });
    expect(session.ended).toBe('goodbye');
    expect(result()).toEqual({ endedBy: 'assistant', reason: 'goodbye' });
    expect(recorder.lines).toEqual(['Customer: Bye!', 'AI: Goodbye, Tom.']);
    expect(clock.pending).toBe(0);
  });

  it('waits for the whole goodbye, however long it is', async () => {
    const goodbye = 'goodbye '.repeat(100).trim();
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay(goodbye, { call: 'end_call' });
    await begin();
    await session.customerSays('Bye!');
    // A second more, because this session reports nothing.
    await clock.advance(goodbye.length * 60 + 999);
    expect(session.ended).toBeNull();
    await clock.advance(1);
    expect(session.ended).toBe('goodbye');
    expect(recorder.lines[1]).toBe(`AI: ${goodbye}`);
    expect(clock.pending).toBe(0);
  });

  it('gives the goodbye 5 s to begin where the session reports speech', async () => {
    const { clock, session, model, begin } = startConversation({ greeting: 'Hi.' });
    model.willSay('Goodbye, Tom.', { call: 'end_call' });
    await begin();
    await session.emit({ kind: 'speaking', who: 'assistant', on: true });
    await session.emit({ kind: 'played', text: 'Hi.' });
    await session.emit({ kind: 'speaking', who: 'assistant', on: false });
    await session.customerSays('Bye!');
    await clock.advance(3_000);
    expect(session.ended).toBeNull();
    await session.emit({ kind: 'speaking', who: 'assistant', on: true });
    await clock.advance(3_000);
    expect(session.ended).toBeNull();
    await session.emit({ kind: 'played', text: 'Goodbye, Tom.' });
    expect(session.ended).toBe('goodbye');
  });

  it('completes the goodbye after a noise interrupts it', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay('Goodbye, dear Tom.', { call: 'end_call' });
    await begin();
    await session.customerSays('Bye!');
    await session.interrupt('Goodbye,');
    expect(session.ended).toBeNull();
    await clock.advance(2_000);
    expect(session.speeches.at(-1)).toBe('dear Tom.');
    await clock.advance(2_000);
    expect(session.ended).toBe('goodbye');
    expect(recorder.lines).toEqual(['Customer: Bye!', 'AI: Goodbye,', 'AI: dear Tom.']);
  });

  it('speaks a built-in goodbye when the model ends the call without one', async () => {
    const { session, model, begin } = startConversation();
    model.willSay({ call: 'end_call' });
    await begin();
    await session.customerSays('Bye!');
    expect(session.speeches).toEqual(['Thank you for your time. Goodbye.']);
  });

  it('suppresses the number and ends the call when the customer requests it', async () => {
    const { clock, session, model, recorder, begin, result } = startConversation();
    model.willSay({ call: 'stop_calling' });
    await begin();
    await session.customerSays('Never call me again!');
    await clock.advance(5_000);
    expect(recorder.stopped).toBe(true);
    expect(session.speeches).toEqual(['I understand. You will not be called again. Goodbye.']);
    expect(result()).toEqual({ endedBy: 'assistant', reason: 'stop_calling' });
  });

  it('records what the customer says during the goodbye, without an answer', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay('Goodbye, Tom.', { call: 'end_call' });
    await begin();
    await session.customerSays('Bye!');
    await session.customerSays('Thanks!');
    await clock.advance(5_000);
    expect(model.requests).toHaveLength(1);
    expect(recorder.lines.at(-1)).toBe('Customer: Thanks!');
  });

  it('does not record a lost line as a hang-up, and keeps the heard part of the last speech', async () => {
    const { clock, session, recorder, begin, result } = startConversation({
      greeting: 'one two three four five six',
    });
    await begin();
    await clock.advance(600);
    await session.emit({ kind: 'closed' });
    expect(result()).toEqual({ endedBy: 'system', reason: 'line_lost' });
    expect(recorder.lines).toEqual(['AI: one two']);
    expect(clock.pending).toBe(0);
  });

  it('keeps the goodbye as the end reason when the customer hangs up while it is played', async () => {
    const { session, model, begin, result } = startConversation();
    model.willSay('Goodbye, Tom.', { call: 'end_call' });
    await begin();
    await session.customerSays('Bye!');
    await session.emit({ kind: 'closed' });
    expect(result()).toEqual({ endedBy: 'assistant', reason: 'goodbye' });
  });

  it('does not repeat speech that a visitor interrupts beyond the limit', async () => {
    const { clock, session, parts, begin } = startConversation({ greeting: 'We open at nine.' });
    Object.assign(parts, { allowance: { admitUtterance: () => 'late' } });
    await begin();
    for (let count = 0; count < 3; count += 1) {
      await session.interrupt('We ');
      await session.customerSays('Go on.');
    }
    await clock.advance(5_000);
    expect(session.speeches).toEqual([]);
  });
});
