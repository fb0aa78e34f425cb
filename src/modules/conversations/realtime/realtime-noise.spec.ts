import { describe, expect, it } from '@jest/globals';
import {
  HANG_OVER_MS,
  makesSound,
  speaks,
  startRealtimeConversation,
  words,
} from './realtime-conversation.fake.js';

type Conversation = Awaited<ReturnType<typeof startRealtimeConversation>>;

/** The silence that the provider would wait for, and the time in which it would report the end. */
const OWN_END_MS = HANG_OVER_MS + 300;

/** A provider that hears a television reports speech that does not end. */
async function withTelevision(): Promise<Conversation> {
  const call = await startRealtimeConversation();
  await call.model.emit({ kind: 'speech', itemId: 'television', on: true });
  return call;
}

/**
 * The customer says something, and the provider commits the audio that it has when that is requested.
 *
 * @param endMs silence after which it is; by default where the provider is not known to miss the end
 */
async function says(
  call: Conversation,
  itemId: string,
  text: string | null,
  endMs = OWN_END_MS,
): Promise<void> {
  const before = call.model.sent('commit').length;
  await call.line.hears(call.clock, 1_200);
  await call.line.hears(call.clock, endMs - 20, false);
  expect(call.model.sent('commit')).toHaveLength(before);
  await call.line.hears(call.clock, 20, false);
  expect(call.model.sent('commit')).toHaveLength(before + 1);
  await call.model.emit({ kind: 'committed', itemId });
  await words(call, itemId, text);
}

async function answers(call: Conversation, text: string): Promise<void> {
  await call.model.answers(text);
  await call.line.playsAll();
}

/** The provider hears the end of the television. */
const goesQuiet = (call: Conversation, itemId: string): Promise<void> => call.model.commits(itemId);

describe('a customer in front of a television, with a realtime model', () => {
  it('is answered after the silence that ends a turn, at once where the provider has missed one', async () => {
    const call = await withTelevision();
    await says(call, 'television', 'Is there a place free?');
    await answers(call, 'There is.');
    await call.line.hears(call.clock, 2_000, false);
    await says(call, 'second', 'On Friday?', HANG_OVER_MS);
    await answers(call, 'On Friday, too.');
    expect(call.recorder.lines).toEqual([
      'Customer: Is there a place free?',
      'AI: There is.',
      'Customer: On Friday?',
      'AI: On Friday, too.',
    ]);
    expect(call.model.requests).toHaveLength(2);
  });

  it('is answered after the silence that their pauses need, less the time until their words are known', async () => {
    const call = await withTelevision();
    await says(call, 'television', 'Is there a place free?');
    await answers(call, 'There is.');
    await call.line.hears(call.clock, 2_000, false);
    await says(call, 'first', 'Is it on the', HANG_OVER_MS);
    await call.line.hears(call.clock, 200, false);
    await call.line.hears(call.clock, 1_200);
    // 1.1 times the pause of 800 ms, and 100 ms.
    await call.line.hears(call.clock, 760, false);
    expect(call.model.sent('commit')).toHaveLength(2);
    await call.line.hears(call.clock, 20, false);
    expect(call.model.sent('commit')).toHaveLength(3);
  });

  it.each([
    ['with it on since before', 0],
    ['with a new sound of it', 250],
  ])('is answered when their words are known, %s', async (_case, waitMs) => {
    const call = await startRealtimeConversation();
    for (const sound of ['one', 'two']) await makesSound(call, sound);
    const asked = call.model.requests.length;
    await speaks(call, 'question', 1_200);
    await call.line.hears(call.clock, 1_000 - waitMs, false);
    await call.model.emit({ kind: 'speech', itemId: 'television', on: true });
    if (waitMs === 0) await call.line.hears(call.clock, 500, false);
    await words(call, 'question', 'Is there a place free?');
    expect(call.model.requests).toHaveLength(waitMs === 0 ? asked + 1 : asked);
    await call.line.hears(call.clock, 260, false);
    expect(call.model.requests).toHaveLength(asked + 1);
  });

  it('has the model asked at the end of their turn after sounds in which no voice was measured', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'question', 1_200);
    await words(call, 'question', 'Is there a place free?');
    await answers(call, 'There is.');
    for (const sound of ['one', 'two', 'three']) {
      await call.model.emit({ kind: 'speech', itemId: sound, on: true });
      await call.line.hears(call.clock, 1_000, false);
      await call.model.commits(sound);
      await words(call, sound, '');
    }
    expect(call.model.requests).toHaveLength(1);
    await speaks(call, 'second', 1_200);
    expect(call.model.requests).toHaveLength(2);
  });

  it('hears on where only the television goes on, from the start of the call', async () => {
    const call = await startRealtimeConversation();
    await call.model.customer('Tell me a story', 'story');
    await call.model.answers('Once upon a time there was a fox in the wood');
    await call.model.emit({ kind: 'speech', itemId: 'television', on: true });
    await call.line.hears(call.clock, 5_000, false);
    expect(call.line.clears).toBe(0);
  });

  it('interrupts the assistant', async () => {
    const call = await withTelevision();
    await says(call, 'television', 'Tell me a story');
    await call.model.answers('Once upon a time there was a fox in the wood');
    await call.line.playsOne();
    // Enough of one who goes on after a pause.
    await call.line.hears(call.clock, 80);
    expect(call.line.clears).toBe(0);
    await call.line.hears(call.clock, 20);
    expect(call.line.clears).toBe(1);
  });

  it('is heard on when they go on before the audio is committed', async () => {
    const call = await withTelevision();
    await call.line.hears(call.clock, 1_200);
    await call.line.hears(call.clock, OWN_END_MS, false);
    await call.line.hears(call.clock, 300);
    await call.model.emit({ kind: 'committed', itemId: 'television' });
    await words(call, 'television', 'Is there a place free on');
    await call.line.hears(call.clock, 900);
    // Longer than the pause before.
    await call.line.hears(call.clock, 2_000, false);
    expect(call.model.sent('commit')).toHaveLength(2);
    await call.model.emit({ kind: 'committed', itemId: 'second' });
    await call.model.emit({ kind: 'done', response: 'answer-1', status: 'cancelled', usage: null });
    await words(call, 'second', 'Friday?');
    await answers(call, 'There is.');
    expect(call.recorder.lines).toEqual([
      'Customer: Is there a place free on',
      'Customer: Friday?',
      'AI: There is.',
    ]);
  });

  it.each([
    ['no words', ''],
    ['no transcript', null],
  ])('is asked nothing about the television, whose end has %s', async (_case, text) => {
    const call = await withTelevision();
    await says(call, 'television', 'Is there a place free?');
    await answers(call, 'There is.');
    await call.line.hears(call.clock, 2_000, false);
    await goesQuiet(call, 'rest');
    await words(call, 'rest', text);
    await call.clock.advance(6_000);
    expect(call.model.requests).toHaveLength(1);
    expect(call.recorder.lines).toEqual(['Customer: Is there a place free?', 'AI: There is.']);
    expect(call.model.sent('delete')).toEqual([['delete', 'rest']]);
  });

  it('is answered where they were too quiet for the own detection', async () => {
    const call = await withTelevision();
    await says(call, 'television', 'Is there a place free?');
    await answers(call, 'There is.');
    await goesQuiet(call, 'rest');
    await words(call, 'rest', 'On Friday?');
    await answers(call, 'On Friday, too.');
    expect(call.recorder.lines.slice(-2)).toEqual(['Customer: On Friday?', 'AI: On Friday, too.']);
    expect([call.model.requests.length, call.model.sent('delete')]).toEqual([2, []]);
  });

  it.each([
    ['a new item', 'rest', 'rest'],
    ['the item of the first part', 'television', 'rest'],
  ])('is answered when the provider ends the turn itself, as %s', async (_case, stopped, committed) => {
    const call = await withTelevision();
    await says(call, 'television', 'Is there a place free?');
    await answers(call, 'There is.');
    await call.line.hears(call.clock, 1_200);
    await call.line.hears(call.clock, HANG_OVER_MS, false);
    await call.model.emit({ kind: 'speech', itemId: stopped, on: false });
    await call.model.emit({ kind: 'committed', itemId: committed });
    await words(call, committed, 'On Friday?');
    await answers(call, 'On Friday, too.');
    expect(call.recorder.lines.slice(-2)).toEqual(['Customer: On Friday?', 'AI: On Friday, too.']);
    expect(call.model.sent('commit')).toHaveLength(1);
  });

  it('is heard to the end when the call ends before the audio is committed', async () => {
    const call = await withTelevision();
    await call.line.hears(call.clock, 1_200);
    await call.line.hears(call.clock, OWN_END_MS, false);
    await call.line.hears(call.clock, 100);
    await call.line.emit({ kind: 'closed' });
    await call.model.emit({ kind: 'committed', itemId: 'television' });
    await words(call, 'television', 'No, thank you.');
    await goesQuiet(call, 'rest');
    await words(call, 'rest', 'Goodbye!');
    expect(call.recorder.lines).toEqual(['Customer: No, thank you.', 'Customer: Goodbye!']);
    expect([call.model.sent('close'), call.reason()]).toEqual([[['close']], 'line_lost']);
  });

  it.each([
    ['ends a turn with', 'a short word', 100, 1],
    ['does not end a turn with', 'a click', 80, 0],
  ])('%s %s', async (_does, _sound, ms, commits) => {
    const call = await withTelevision();
    await call.line.hears(call.clock, ms);
    await call.line.hears(call.clock, 3_000, false);
    expect(call.model.sent('commit')).toHaveLength(commits);
  });
});

describe('a customer in a quiet place, with a realtime model', () => {
  it('has their turns ended by the provider', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 1_200);
    await call.line.hears(call.clock, 3_000, false);
    await speaks(call, 'two', 1_200);
    await call.line.hears(call.clock, 3_000, false);
    expect(call.model.sent('commit')).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['refused', []],
    ['for the silence since then', ['silence']],
  ])('is asked once where the own commit crosses the end, and is %s', async (_case, committed) => {
    const call = await startRealtimeConversation();
    await call.model.emit({ kind: 'speech', itemId: 'one', on: true });
    await call.line.hears(call.clock, 1_200);
    await call.line.hears(call.clock, OWN_END_MS, false);
    expect(call.model.sent('commit')).toHaveLength(1);
    await call.model.commits('one');
    for (const itemId of committed) {
      await call.model.emit({ kind: 'committed', itemId });
      await words(call, itemId, '');
    }
    expect(call.model.sent('delete')).toEqual(committed.map((itemId) => ['delete', itemId]));
    await words(call, 'one', 'Is there a place free?');
    await answers(call, 'There is.');
    await speaks(call, 'two', 1_200);
    expect(call.model.requests).toHaveLength(2);
    expect(call.recorder.lines.slice(0, 2)).toEqual(['Customer: Is there a place free?', 'AI: There is.']);
  });

  it('is heard to the end while the audio of an earlier turn is committed late', async () => {
    const call = await startRealtimeConversation();
    await call.model.emit({ kind: 'speech', itemId: 'one', on: true });
    await call.line.hears(call.clock, 1_200);
    await call.line.hears(call.clock, HANG_OVER_MS, false);
    await call.model.emit({ kind: 'speech', itemId: 'one', on: false });
    await call.line.hears(call.clock, 300, false);
    await call.model.emit({ kind: 'speech', itemId: 'two', on: true });
    await call.line.hears(call.clock, 300);
    await call.model.emit({ kind: 'committed', itemId: 'one' });
    await call.line.hears(call.clock, 900);
    expect(call.model.sent('cancel')).toEqual([]);
    await call.line.hears(call.clock, HANG_OVER_MS, false);
    await call.model.commits('two');
    await call.model.emit({ kind: 'done', response: 'answer-1', status: 'cancelled', usage: null });
    expect(call.model.requests).toHaveLength(2);
    expect(call.model.sent('delete')).toEqual([]);
  });
});
