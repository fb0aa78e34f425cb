import { describe, expect, it } from '@jest/globals';
import { CHARACTER_BYTES, CHARACTER_MS, type FakeRealtimeModel } from './realtime.fake.js';
import { startRealtimeConversation } from './realtime-conversation.fake.js';

/** The model says goodbye and calls `end_call`. */
async function saysGoodbye(model: FakeRealtimeModel): Promise<void> {
  const response = model.requests.at(-1)?.response ?? '';
  await model.says('Goodbye!', response);
  const call = { id: 'call_1', name: 'end_call', arguments: '{}' };
  await model.emit({ kind: 'call', response, itemId: 'item_call', call });
  await model.ends(response);
}

describe('a conversation with a realtime model', () => {
  it("greets with a fixed sentence, which is added to the model's conversation with the first answer", async () => {
    const { model, line, recorder } = await startRealtimeConversation({ greeting: 'Hello there.' });
    expect(model.requests).toEqual([{ kind: 'sentence', response: 'sentence-1', text: 'Hello there.' }]);
    await model.answers('Hello there.');
    await line.playsAll();
    expect(recorder.lines).toEqual(['AI: Hello there.']);
    expect(recorder.played.size).toBe(1);
    await model.customer('Good morning', 'heard_1');
    const added = { id: 'ours_1', kind: 'said', by: 'assistant', text: 'Hello there.' };
    expect(model.sent('add')).toEqual([['add', added, null]]);
    expect(model.requests.at(-1)).toMatchObject({ kind: 'answer', instruction: null, mayCallTools: true });
  });

  it('records the words of the model as it speaks them, and plays its audio once', async () => {
    const { model, line, recorder } = await startRealtimeConversation();
    await model.customer('How much is it?');
    const answer = 'It is 20 euros, **really**.';
    await model.answers(answer);
    expect(line.played).toBe(answer.length * 480);
    await line.playsAll();
    expect(recorder.lines).toEqual(['Customer: How much is it?', `AI: ${answer}`]);
    expect(model.sent('truncate')).toEqual([]);
  });

  it('cuts an interrupted answer to the heard part, in the record and in the model', async () => {
    const { model, line, recorder, clock } = await startRealtimeConversation();
    await model.customer('Tell me a story');
    await model.says('Once upon a time there was a fox');
    const response = model.requests.at(-1)?.response ?? '';
    await line.playsTo('Once upon '.length * CHARACTER_MS);
    // Half of the next word, "a ".
    await clock.advance(CHARACTER_MS);
    await model.emit({ kind: 'speech', itemId: 'heard_2', on: true });
    await line.hears(clock, 500);
    expect(line.clears).toBe(1);
    expect(recorder.lines.at(-1)).toBe('AI: Once upon a time');
    await model.commits('heard_2');
    await model.emit({ kind: 'heard', itemId: 'heard_2', text: 'Wait a moment' });
    expect(model.sent('cancel')).toEqual([['cancel', response]]);
    // Dropped: nobody wants it any more.
    const played = line.played;
    await model.says('who lived', response);
    expect(line.played).toBe(played);
    await model.emit({ kind: 'done', response, status: 'cancelled', usage: null });
    expect(model.sent('truncate')).toEqual([['truncate', `item_${response}`, 10 * CHARACTER_MS + 560]]);
    expect(model.requests.at(-1)?.response).not.toBe(response);
    expect(recorder.lines).toEqual([
      'Customer: Tell me a story',
      'AI: Once upon a time',
      'Customer: Wait a moment',
    ]);
  });

  it.each([
    ['first', 'One moment,', 1_000, { item_1: 1_000, item_2: 0 }],
    ['second', 'One moment, please. It is', 1_500, { item_2: 1_500 - 1_140 }],
  ])('cuts a response of two items in the %s', async (_case, heard, ms, truncated) => {
    const { model, line, recorder, clock } = await startRealtimeConversation();
    await model.customer('When is it free?');
    for (const [itemId, text] of [
      ['item_1', 'One moment, please.'],
      ['item_2', 'It is free on Friday.'],
    ] as const) {
      const base = { response: 'answer-1', itemId };
      const audio = Buffer.alloc(text.length * CHARACTER_BYTES);
      await model.emit({ kind: 'transcript', ...base, text }, { kind: 'audio', ...base, audio });
    }
    await model.ends();
    await clock.advance(ms - 500);
    await model.emit({ kind: 'speech', itemId: 'heard_2', on: true });
    await line.hears(clock, 500);
    expect(recorder.lines.at(-1)).toBe(`AI: ${heard}`);
    await model.commits('heard_2');
    expect(model.sent('truncate')).toEqual(Object.entries(truncated).map((one) => ['truncate', ...one]));
  });

  it('stores the heard part while it is heard, also of audio that came in one piece', async () => {
    const { model, line, recorder, clock } = await startRealtimeConversation();
    await model.customer('Tell me a story');
    const response = model.requests.at(-1)?.response ?? '';
    const text = 'Once upon a time there was a fox';
    const base = { response, itemId: 'item_1' };
    const audio = Buffer.alloc(text.length * CHARACTER_BYTES);
    await model.emit({ kind: 'transcript', ...base, text }, { kind: 'audio', ...base, audio });
    for (let word = 1; word <= 3; word += 1) {
      await clock.advance(300);
      await line.playsTo(word * 300);
    }
    expect([...recorder.turns.values()].at(-1)?.timings.heardTo).toBe('Once upon a'.length);
  });

  it('continues with the same audio at the next word after a sound without words', async () => {
    const { model, line, recorder, clock } = await startRealtimeConversation();
    const heard = 'heard_1';
    await model.customer('Tell me a story', heard);
    await model.answers('Once upon a time');
    await line.playsTo('Once '.length * CHARACTER_MS);
    await model.emit({ kind: 'speech', itemId: 'noise', on: true });
    await line.hears(clock, 500);
    const before = line.played;
    await model.commits('noise');
    await model.emit({ kind: 'heard', itemId: 'noise', text: '' });
    // 300 ms of "Once " and 500 ms more: the sound began in "time".
    expect(line.played - before).toBe('time'.length * 480);
    await line.playsAll();
    expect(recorder.lines.filter((one) => one.startsWith('AI')).join(' ')).toBe('AI: Once upon a AI: time');
    // Asked when the sound ended, and withdrawn.
    expect(model.sent('cancel')).toEqual([['cancel', 'answer-2']]);
    await model.emit({ kind: 'done', response: 'answer-2', status: 'cancelled', usage: null });
    // The model's conversation had the heard part: all of it was heard in the end.
    expect(model.sent('delete')).toEqual([['delete', 'item_answer-1']]);
    await model.customer('Nice');
    expect(model.sent('add')).toEqual([
      ['add', { id: 'ours_1', kind: 'said', by: 'assistant', text: 'Once upon a time' }, heard],
    ]);
  });

  it('has the words of a response once in the model that two sounds have stopped', async () => {
    const { model, line, clock } = await startRealtimeConversation();
    await model.customer('Hello', 'heard_1');
    await model.answers('Hello.');
    await line.playsAll();
    await model.customer('Tell me a story', 'heard_2');
    const story = 'Once upon a time there was a fox who lived in a wood';
    await model.answers(story);
    for (const itemId of ['noise_1', 'noise_2']) {
      await clock.advance(400);
      await model.emit({ kind: 'speech', itemId, on: true });
      await line.hears(clock, 500);
      await model.emit({ kind: 'words', itemId, text: 'Well, now' });
      await model.commits(itemId);
      await model.emit({ kind: 'heard', itemId, text: '' });
      const { response = '' } = model.requests.at(-1) ?? {};
      await model.emit({ kind: 'done', response, status: 'cancelled', usage: null });
    }
    await line.playsAll();
    await model.customer('Nice', 'heard_3');
    const deleted = model.sent('delete').map((entry) => (entry as [string, string])[1]);
    const left = (model.sent('add') as [string, { id: string; text: string }][])
      .map(([, item]) => item)
      .filter(({ id }) => !deleted.includes(id));
    expect(left.map(({ text }) => text)).toEqual([story]);
    expect(deleted).toEqual(['item_answer-2', 'ours_1']);
    expect(model.sent('truncate').filter((entry) => (entry as string[])[1] === 'item_answer-2')).toHaveLength(
      1,
    );
  });

  it('is not interrupted by fewer words than set, nor at all where that is not allowed', async () => {
    for (const [rules, words] of [
      [{ minInterruptWords: 3 }, 'Well now'],
      [{ allowInterruptions: false }, 'Stop right there please'],
    ] as const) {
      const { model, line, clock } = await startRealtimeConversation({}, rules);
      await model.customer('Tell me a story');
      await model.answers('Once upon a time there was a fox');
      await line.playsOne();
      await model.emit({ kind: 'speech', itemId: 'heard_2', on: true });
      await clock.advance(1_000);
      await model.emit({ kind: 'words', itemId: 'heard_2', text: words });
      expect(line.clears).toBe(0);
    }
  });

  it('is interrupted by as many words as set while they are spoken', async () => {
    const { model, line } = await startRealtimeConversation({}, { minInterruptWords: 3 });
    await model.customer('Tell me a story');
    await model.answers('Once upon a time there was a fox');
    await model.emit({ kind: 'speech', itemId: 'heard_2', on: true });
    await model.emit({ kind: 'words', itemId: 'heard_2', text: 'Please stop ' });
    expect(line.clears).toBe(0);
    await model.emit({ kind: 'words', itemId: 'heard_2', text: 'it' });
    expect(line.clears).toBe(1);
  });

  it('runs tools and writes their results before it requests the next answer', async () => {
    const { model, line, recorder, tools } = await startRealtimeConversation();
    await model.customer('Are you free on Monday?', 'heard_1');
    const response = model.requests.at(-1)?.response ?? '';
    const call = { id: 'call_1', name: 'check_slot', arguments: '{"day":"Monday"}' };
    await model.emit({ kind: 'call', response, itemId: 'item_call', call });
    await model.ends(response);
    expect(tools.runs).toEqual([{ name: 'check_slot', args: { day: 'Monday' } }]);
    const output = { id: 'ours_1', kind: 'output', callId: 'call_1', text: '{"free":true}' };
    expect(model.log.slice(-2)).toEqual([
      ['add', output, 'item_call'],
      ['respond', 'answer-2'],
    ]);
    await model.answers('Yes, I am.');
    await line.playsAll();
    expect(recorder.lines.at(-1)).toBe('AI: Yes, I am.');
    await model.customer('Great');
    expect(model.sent('add')).toHaveLength(1);
  });

  it('completes the goodbye and only then ends the line', async () => {
    const { model, line, reason, session, clock } = await startRealtimeConversation({
      endCallDescription: 'At the end.',
    });
    await model.customer('Bye');
    await saysGoodbye(model);
    await clock.advance(1_000);
    expect(reason()).toBeNull();
    await line.playsAll();
    await clock.advance(1_000);
    expect(reason()).toBe('goodbye');
    expect(line.ended).toBeNull();
    session.hangUp();
    expect(line.ended).toBe('goodbye');
  });

  it.each(['No, that was all.', 'No, thank you, that was all. Goodbye!'])(
    'ends after the goodbye to words that arrive after it: %s',
    async (text) => {
      const { model, line, reason, clock } = await startRealtimeConversation({
        endCallDescription: 'At the end.',
      });
      await model.customer('On Thursday.');
      await model.answers('Is there anything else?');
      await line.playsAll();
      await model.emit({ kind: 'speech', itemId: 'late', on: true });
      await line.hears(clock, 1_200);
      await line.hears(clock, 600, false);
      await model.commits('late');
      await saysGoodbye(model);
      await clock.advance(700);
      await line.playsOne();
      await model.emit({ kind: 'heard', itemId: 'late', text });
      await line.playsAll();
      await clock.advance(1_000);
      expect([reason(), line.clears, model.requests.length]).toEqual(['goodbye', 0, 2]);
    },
  );

  it('goes on when the customer says more during the goodbye', async () => {
    const { model, line, reason, clock } = await startRealtimeConversation({
      endCallDescription: 'At the end.',
    });
    await model.customer('Bye');
    await saysGoodbye(model);
    await line.playsOne();
    await model.emit({ kind: 'speech', itemId: 'more', on: true });
    await line.hears(clock, 1_200);
    await line.hears(clock, 600, false);
    await model.commits('more');
    await model.emit({ kind: 'heard', itemId: 'more', text: 'Wait, one more question.' });
    await line.playsAll();
    await clock.advance(1_000);
    expect([reason(), model.requests.length]).toEqual([null, 2]);
  });

  it('starts after a disclosure that the carrier speaks, which is recorded', async () => {
    const notice = 'This call is recorded.';
    const { model, line, recorder } = await startRealtimeConversation({
      greeting: `${notice} Hello.`,
      notice,
      noticeSaid: true,
    });
    expect(model.requests).toMatchObject([{ text: 'Hello.' }]);
    await line.emit({ kind: 'closed' });
    expect(recorder.lines).toEqual([`AI: ${notice}`]);
  });

  it('sends the model the conversation before its session', async () => {
    const history = [
      { role: 'assistant', seq: 1, text: 'Hello.' },
      { role: 'customer', seq: 2, text: 'Monday?' },
      { role: 'tool', seq: 3, name: 'check_slot', arguments: { day: 'Monday' }, answer: 'free' },
      { role: 'customer', seq: 4, text: 'And?' },
    ] as const;
    const { model } = await startRealtimeConversation({}, {}, { history, elapsedSeconds: 20 });
    const call = { id: 'e00000003', name: 'check_slot', arguments: '{"day":"Monday"}' };
    expect(model.sent('add')).toEqual([
      ['add', { id: 'ours_1', kind: 'said', by: 'assistant', text: 'Hello.' }, null],
      ['add', { id: 'ours_2', kind: 'said', by: 'customer', text: 'Monday?' }, 'ours_1'],
      ['add', { id: 'ours_3', kind: 'call', call }, 'ours_2'],
      ['add', { id: 'ours_4', kind: 'output', callId: 'e00000003', text: 'free' }, 'ours_3'],
      ['add', { id: 'ours_5', kind: 'said', by: 'customer', text: 'And?' }, 'ours_4'],
    ]);
  });
});
