import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { LanguageModelError } from '../../llm/language-model.js';
import { flushPromises } from './clock.fake.js';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

describe('turns of a conversation', () => {
  it.each([
    ['filter', 'The best way to', true],
    ['filter', 'That is all.', true],
    ['length', 'The best way to', true],
    ['length', 'That is all.', false],
    ['filter', '', true],
  ] as const)('reports that an answer is incomplete (%s, %j)', async (stopped, text, isTold) => {
    const { session, model, begin } = startConversation();
    model.willSay(text, { stopped }).willSay(text, { stopped });
    await begin();
    await session.customerSays('How?');
    await session.customerSays('And?');
    const told = session.speeches.filter((speech) => speech.startsWith('Excuse me, I cannot finish'));
    expect(told).toHaveLength(isTold ? 2 : 0);
    expect(session.ended).toBeNull();
    const prompt = 'You are {name}.';
    expect(model.requests.map(({ speech }) => speech)).toEqual([{ prompt }, { prompt }]);
  });

  it('sends the tokens as they arrive and ends with an empty last one', async () => {
    const { clock, session, model, begin } = startConversation();
    model.willSay('Good ', { waitMs: 50 }, 'morning.');
    await begin();
    await session.customerSays('Hello?');
    expect(session.frames.map(({ token, last }) => [token, last])).toEqual([['Good ', false]]);
    await clock.advance(50);
    expect(session.frames.map(({ token, last }) => [token, last])).toEqual([
      ['Good ', false],
      ['morning.', false],
      ['', true],
    ]);
  });

  it('sends the model the prompt, the rules and the conversation', async () => {
    const { session, model, begin } = startConversation({ greeting: 'Hi, Ada here.' });
    await begin();
    await session.emit({ kind: 'played', text: 'Hi, Ada here.' });
    await session.customerSays('Who?');
    const [request] = model.requests;
    expect(request?.messages[0]).toMatchObject({
      role: 'system',
      text: expect.stringMatching(/^You are Ada\./),
    });
    expect(request?.messages.slice(1)).toEqual([
      { role: 'assistant', text: 'Hi, Ada here.', toolCalls: [] },
      { role: 'customer', text: 'Who?' },
    ]);
    expect(request?.tools.map(({ name }) => name)).toEqual(['check_slot', 'end_call', 'stop_calling']);
    expect(request).toMatchObject({ model: 'gpt-test', temperature: 0.1 });
  });

  it('requests the fallback model when the first one is late, and records whose tokens are used', async () => {
    const { clock, session, model, recorder, begin } = startConversation({ fallbackModel: 'gpt-other' });
    const usage = { prompt: 90, cached: 40, completion: 2 };
    model.willSay({ waitMs: 60_000 }).willSay('Yes.', { usage });
    await begin();
    await session.customerSays('Are you open?');
    await clock.advance(2_999);
    expect(model.requests.map((request) => request.model)).toEqual(['gpt-test']);
    await clock.advance(1);
    expect(session.speeches.at(-1)).toBe('Yes.');
    expect(recorder.usages).toEqual([{ model: 'gpt-other', afterSeq: 2, ...usage }]);
  });

  it('records every turn with its times', async () => {
    const { clock, session, model, recorder, begin } = startConversation({ greeting: 'Hi.' });
    model.willSay({ waitMs: 200 }, 'I am Ada.');
    await begin();
    await session.emit({ kind: 'played', text: 'Hi.' });
    await clock.advance(1000);
    await session.customerSays('Who?');
    await clock.advance(300);
    await session.emit({ kind: 'played', text: 'I am Ada.' });
    expect(recorder.lines).toEqual(['AI: Hi.', 'Customer: Who?', 'AI: I am Ada.']);
    expect(recorder.turns.get(3)).toMatchObject({
      timings: { prompt: 1000, modelFirst: 1200, textFirst: 1200 },
      interrupted: false,
    });
    expect(recorder.played.get(3)).toBe(1300);
  });

  it('shortens a turn when the carrier reports later that it was interrupted', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay('We are open from nine to five.').willSay('Of course.');
    await begin();
    await session.customerSays('When?');
    // More than it is estimated to take.
    await clock.advance(3_000);
    expect(recorder.played.get(2)).toBeDefined();
    await session.interrupt('We are open from');
    await session.customerSays('Also on Sundays?');
    expect(recorder.lines).toEqual([
      'Customer: When?',
      'AI: We are open from',
      'Customer: Also on Sundays?',
      'AI: Of course.',
    ]);
    expect(model.requests[1]?.messages).toContainEqual(expect.objectContaining({ text: 'We are open from' }));
  });

  it('answers words that arrive during a model request together with the earlier ones, once', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay({ waitMs: 500 }, 'An answer to half a question.').willSay('An answer to all of it.');
    await begin();
    await session.customerSays('I would like');
    await clock.advance(100);
    await session.customerSays('an appointment.');
    await clock.advance(500);
    expect(session.speeches).toEqual(['An answer to all of it.']);
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: 'customer', text: 'I would like' },
      { role: 'customer', text: 'an appointment.' },
    ]);
    expect(recorder.lines).toHaveLength(3);
  });

  it('treats pressed keys as one turn', async () => {
    const { clock, session, model, recorder, begin } = startConversation();
    model.willSay('Forty-two.').willSay('Thanks.');
    await begin();
    await session.emit({ kind: 'digit', digit: '4' });
    await clock.advance(500);
    await session.emit({ kind: 'digit', digit: '2' });
    expect(model.requests).toHaveLength(0);
    await clock.advance(1500);
    expect(recorder.lines).toEqual(['Customer: [keys pressed: ****]', 'AI: Forty-two.']);
    expect(model.requests[0]?.messages.at(-1)).toEqual({ role: 'customer', text: '[keys pressed: 42]' });
    await clock.advance(5000);
    await session.emit({ kind: 'digit', digit: '#' });
    expect(recorder.lines[2]).toBe('Customer: [keys pressed: ****]');
    expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'customer', text: '[keys pressed: #]' });
  });

  it('does not answer an empty or unfinished utterance', async () => {
    const { session, model, begin } = startConversation();
    await begin();
    await session.customerSays('  ');
    await session.emit({ kind: 'utterance', text: 'I wo', final: false });
    expect(model.requests).toHaveLength(0);
  });

  it('repeats the request to the model when a retry is allowed', async () => {
    const { session, model, begin } = startConversation();
    model.willSay({ failure: new LanguageModelError('down', true, 503) }).willSay('Here I am.');
    await begin();
    await session.customerSays('Hello?');
    expect(session.speeches).toEqual(['Here I am.']);
  });

  it.each([
    [
      'is not worth another try',
      [{ failure: new LanguageModelError('no', false, 401) }],
      'Sorry, something went wrong on my side. Could you say that again, please?',
    ],
    [
      'failed in mid-sentence',
      ['I was about to ', { failure: new LanguageModelError('cut', true) }],
      'Excuse me, I had a technical problem just now. Shall I go on?',
    ],
  ])('apologises when the failure %s', async (_, steps, excuse) => {
    const { session, model, begin } = startConversation();
    model.willSay(...steps);
    await begin();
    await session.customerSays('Hello?');
    expect(model.requests).toHaveLength(1);
    expect(session.speeches.at(-1)).toBe(excuse);
    expect(session.ended).toBeNull();
  });

  it('ends when the model fails in two turns in a row, not when it recovers between them', async () => {
    const { clock, session, model, begin, result } = startConversation();
    const failure = new LanguageModelError('no', false, 400);
    model.willSay({ failure }).willSay('Better.').willSay({ failure }).willSay({ failure });
    await begin();
    for (const words of ['One', 'Two', 'Three']) {
      await session.customerSays(words);
      await clock.advance(10_000);
    }
    expect(session.ended).toBeNull();
    await session.customerSays('Four');
    expect(session.speeches.at(-1)).toContain('technical problem');
    await clock.advance(6_000);
    expect(result()).toEqual({ endedBy: 'system', reason: 'model_error' });
  });

  it('treats an empty answer of the model as a failure', async () => {
    const { session, model, begin } = startConversation();
    model.willSay(' ').willSay('Now then.');
    await begin();
    await session.customerSays('Hello?');
    expect(session.speeches).toEqual(['Now then.']);
  });

  it('answers once the utterance is stored', async () => {
    const { session, model, recorder, begin } = startConversation();
    let store = (): void => undefined;
    recorder.storeTurn = () => new Promise<void>((resolve) => (store = resolve));
    model.willSay('Hello.');
    await begin();
    await session.customerSays('Hello?');
    expect(session.speeches).toEqual([]);
    store();
    await flushPromises();
    expect(session.speeches).toEqual(['Hello.']);
  });

  it('continues when a turn could not be stored', async () => {
    const { clock, session, model, recorder, begin, result } = startConversation();
    recorder.storeTurn = () => Promise.reject(new Error('no database'));
    model.willSay('Hello.');
    await begin();
    await session.customerSays('Hello?');
    await clock.advance(250);
    expect(session.speeches).toEqual(['Hello.']);
    await session.emit({ kind: 'closed' });
    await clock.advance(30_000);
    expect(result()).toMatchObject({ reason: 'line_lost' });
  });

  it('speaks text without markup and reasoning, and keeps it so', async () => {
    const { session, model, recorder, begin } = startConversation();
    model.willSay('**Fri', 'day** is free 😀, see [here](https://a.example).');
    await begin();
    await session.customerSays('When?');
    expect(session.speeches).toEqual(['Friday is free , see here.']);
    expect(recorder.lines[1]).toBe('AI: Friday is free , see here.');
  });

  it('ends an answer that is too long at a sentence, and reports the spoken part to the model', async () => {
    const { session, model, recorder, begin } = startConversation();
    model.willSay(...Array.from({ length: 300 }, () => 'This goes on and on. '), {
      call: 'check_slot',
      args: '{}',
    });
    model.willSay('Done.');
    await begin();
    await session.customerSays('Tell me everything.');
    expect(recorder.lines[1]?.length).toBeLessThan(1_050);
    expect(recorder.lines[1]).toMatch(/on and on\.$/);
    expect(model.requests[1]?.messages[2]).toMatchObject({ text: recorder.lines[1]?.slice(4) });
  });
});
