import { describe, expect, it } from '@jest/globals';
import type { FakeClock } from '../engine/clock.fake.js';
import { startRealtimeConversation } from './realtime-conversation.fake.js';
import type { FakePhoneLine, FakeRealtimeModel } from './realtime.fake.js';

type Conversation = Awaited<ReturnType<typeof startRealtimeConversation>>;
type Parts = { model: FakeRealtimeModel; line: FakePhoneLine; clock: FakeClock };

/** The provider's silence at the end of a turn. */
const HANG_OVER_MS = 600;

/** The customer speaks, and the provider commits the turn. */
async function speaks({ model, line, clock }: Parts, itemId: string, ms: number): Promise<void> {
  await model.emit({ kind: 'speech', itemId, on: true });
  await line.hears(clock, ms);
  await line.hears(clock, HANG_OVER_MS, false);
  await model.commits(itemId);
}

const words = ({ model }: Parts, itemId: string, text: string | null): Promise<void> =>
  model.emit({ kind: 'heard', itemId, text });

/** The assistant speaks. */
async function talking(rules: Parameters<typeof startRealtimeConversation>[1] = {}): Promise<Conversation> {
  const conversation = await startRealtimeConversation({}, rules);
  await conversation.model.customer('Tell me a story', 'story');
  await conversation.model.answers('Once upon a time there was a fox in the wood');
  await conversation.line.playsOne();
  return conversation;
}

describe('the turns of a customer with a realtime model', () => {
  it.each([300, 1_500, 4_900])(
    'asks the model at the end of a turn whose words come %i ms later',
    async (lateMs) => {
      const call = await startRealtimeConversation();
      await speaks(call, 'one', 1_200);
      expect(call.model.requests).toHaveLength(1);
      await call.model.answers('There is.');
      await call.clock.advance(lateMs);
      await words(call, 'one', 'Is there a place free?');
      await call.line.playsAll();
      expect(call.model.requests).toHaveLength(1);
      expect(call.recorder.lines).toEqual(['Customer: Is there a place free?', 'AI: There is.']);
    },
  );

  it('plays the response when the words arrive', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 300);
    await call.model.answers('There is.');
    expect(call.line.played).toBe(0);
    await call.clock.advance(400);
    await words(call, 'one', 'Yes.');
    expect(call.line.played).toBe('There is.'.length * 480);
  });

  it.each([
    [1_200, 600],
    [300, 1_500],
  ])('plays the response after %i ms of voice without words in the next %i ms', async (voiceMs, holdMs) => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', voiceMs);
    await call.model.answers('There is.');
    await call.clock.advance(holdMs - 10);
    expect(call.line.played).toBe(0);
    await call.clock.advance(20);
    expect(call.line.played).toBeGreaterThan(0);
    await call.line.playsAll();
    expect(call.recorder.lines).toEqual(['Customer: [not transcribed]', 'AI: There is.']);
    await words(call, 'one', 'Is there a place free?');
    expect(call.recorder.lines).toEqual(['Customer: Is there a place free?', 'AI: There is.']);
    expect(call.model.requests).toHaveLength(1);
  });

  it('does not interrupt a response by the words that it answers', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 1_200);
    await call.model.answers('There is one place left.');
    await call.clock.advance(700);
    await call.line.playsOne();
    await call.model.emit({ kind: 'words', itemId: 'one', text: 'Is there a ' });
    await words(call, 'one', 'Is there a place free?');
    expect([call.line.clears, call.model.requests.length]).toEqual([0, 1]);
  });

  it('keeps what is not transcribed as such, and its place', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 1_200);
    await words(call, 'one', null);
    await call.model.answers('There is.');
    await call.line.playsAll();
    await call.clock.advance(10_000);
    expect(call.recorder.lines).toEqual(['Customer: [not transcribed]', 'AI: There is.']);
  });

  it.each<[string, string | null]>([
    ['no words', ''],
    ['a description of a sound', '(coughs)'],
  ])('withdraws the request after a sound with %s', async (_case, text) => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 300);
    await call.model.says('Sorry?');
    await words(call, 'one', text);
    expect(call.model.sent('cancel')).toEqual([['cancel', 'answer-1']]);
    expect([call.line.played, call.recorder.lines]).toEqual([0, []]);
    await call.model.emit({ kind: 'done', response: 'answer-1', status: 'cancelled', usage: null });
    await call.model.customer('Hello?');
    expect(call.model.requests).toHaveLength(2);
  });

  it('withdraws the request after a click without a transcript', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 60);
    await call.model.answers('Sorry?');
    await call.clock.advance(6_000);
    expect([call.line.played, call.recorder.lines]).toEqual([0, []]);
  });

  it('asks again for both parts when the customer goes on, and speaks after the second', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 1_200);
    await call.model.answers('Let me see');
    await call.model.emit({ kind: 'speech', itemId: 'two', on: true });
    await words(call, 'one', 'Is there a place free on');
    await call.line.hears(call.clock, 2_000);
    expect(call.line.played).toBe(0);
    await call.line.hears(call.clock, HANG_OVER_MS, false);
    await call.model.commits('two');
    expect(call.model.sent('truncate')).toEqual([['truncate', 'item_answer-1', 0]]);
    expect(call.model.requests).toHaveLength(2);
    await call.model.answers('On Friday there is.');
    expect(call.line.played).toBe(0);
    await words(call, 'two', 'Friday afternoon?');
    await call.line.playsAll();
    expect(call.recorder.lines).toEqual([
      'Customer: Is there a place free on',
      'Customer: Friday afternoon?',
      'AI: On Friday there is.',
    ]);
  });

  it('answers earlier words when the sound after them was none', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 1_200);
    await speaks(call, 'cough', 120);
    await call.model.emit({ kind: 'done', response: 'answer-1', status: 'cancelled', usage: null });
    await words(call, 'one', 'Is there a place free?');
    await words(call, 'cough', '');
    await call.model.answers('There is.');
    await call.line.playsAll();
    expect(call.recorder.lines).toEqual(['Customer: Is there a place free?', 'AI: There is.']);
  });

  it('runs no tool before the words, and none after a sound', async () => {
    for (const [text, runs] of [
      ['Are you free?', 1],
      ['', 0],
    ] as const) {
      const call = await startRealtimeConversation();
      await speaks(call, 'one', 300);
      const { response } = call.model.requests[0] ?? { response: '' };
      const tool = { id: 'call_1', name: 'check_slot', arguments: '{"day":"Monday"}' };
      await call.model.emit({ kind: 'call', response, itemId: 'item_call', call: tool });
      await call.model.ends(response);
      expect(call.tools.runs).toEqual([]);
      await words(call, 'one', text);
      expect(call.tools.runs).toHaveLength(runs);
    }
  });

  it('is told by the words that a call is screened, whatever was asked before', async () => {
    const call = await startRealtimeConversation({ pressesKeys: true });
    await speaks(call, 'one', 2_000);
    await call.model.answers('I am fine.');
    await call.clock.advance(1_400);
    expect(call.line.played).toBe(0);
    await words(call, 'one', 'Please state your name and the purpose of your call.');
    await call.model.emit({ kind: 'done', response: 'answer-1', status: 'cancelled', usage: null });
    expect(call.recorder.screened).toEqual(['asked']);
    const [first, second] = call.model.requests.map((one) =>
      one.kind === 'answer' ? one.instruction : null,
    );
    expect([first, second]).toEqual([null, expect.stringContaining('screening')]);
  });
});

describe('sounds over the assistant with a realtime model', () => {
  it.each([
    ['a cough of 120 ms', 120, 0.5],
    ['"mhm" of 400 ms', 400, 0.5],
    ['a second of speech, where two are set', 1_000, 2],
  ])('do not stop it: %s', async (_case, ms, interruptSensitivity) => {
    const call = await talking({ interruptSensitivity });
    await speaks(call, 'sound', ms);
    await call.clock.advance(6_000);
    expect(call.line.clears).toBe(0);
  });

  it.each([
    [500, 0.5],
    [2_000, 2],
  ])('stop it after %i ms of voice, once', async (ms, interruptSensitivity) => {
    const call = await talking({ interruptSensitivity });
    await call.model.emit({ kind: 'speech', itemId: 'speech', on: true });
    await call.line.hears(call.clock, ms - 20);
    expect(call.line.clears).toBe(0);
    await call.line.hears(call.clock, 20);
    expect(call.line.clears).toBe(1);
  });

  it('stop it after voice that is long enough for three words, before any word is known', async () => {
    const call = await talking({ minInterruptWords: 3 });
    await call.model.emit({ kind: 'speech', itemId: 'speech', on: true });
    await call.line.hears(call.clock, 1_780);
    expect(call.line.clears).toBe(0);
    await call.line.hears(call.clock, 20);
    expect(call.line.clears).toBe(1);
  });

  it('let it go on after two words where three are set, however long they took', async () => {
    const call = await talking({ minInterruptWords: 3 });
    await speaks(call, 'two', 2_000);
    await words(call, 'two', 'Well, now');
    await call.line.playsAll();
    const heard = call.recorder.lines.filter((one) => one.startsWith('AI: ')).map((one) => one.slice(4));
    expect(heard.join(' ')).toBe('Once upon a time there was a fox in the wood');
  });

  it('count voice from before the report of the provider, and none from before a pause', async () => {
    const call = await talking();
    await call.line.hears(call.clock, 300);
    await call.line.hears(call.clock, 700, false);
    await call.line.hears(call.clock, 300);
    await call.model.emit({ kind: 'speech', itemId: 'speech', on: true });
    await call.line.hears(call.clock, 180);
    expect(call.line.clears).toBe(0);
    await call.line.hears(call.clock, 20);
    expect(call.line.clears).toBe(1);
  });

  it('stop it at once where the customer goes on and it has just begun', async () => {
    const call = await startRealtimeConversation();
    const { model, line, clock } = call;
    await model.emit({ kind: 'speech', itemId: 'first', on: true });
    await line.hears(clock, 1_000);
    await line.hears(clock, 600, false);
    await model.commits('first');
    await model.emit({ kind: 'heard', itemId: 'first', text: 'Is there a place free on' });
    await model.says('Which day would suit you?');
    await line.hears(clock, 300, false);
    expect(line.played).toBeGreaterThan(0);
    await model.emit({ kind: 'speech', itemId: 'second', on: true });
    await line.hears(clock, 80);
    expect(line.clears).toBe(0);
    await line.hears(clock, 40);
    expect(line.clears).toBe(1);
    // From now on the provider waits for more than such a pause.
    await line.hears(clock, 400);
    expect(model.sent('detect')).toEqual([['detect', { by: 'silence', silenceMs: 1_090, threshold: 0.5 }]]);
  });

  it('stop it by words that are shorter', async () => {
    const call = await talking();
    await speaks(call, 'stop', 300);
    expect(call.line.clears).toBe(0);
    await words(call, 'stop', 'Stop!');
    expect(call.line.clears).toBe(1);
    expect(call.recorder.lines.at(-1)).toBe('Customer: Stop!');
  });

  it('stop it where the voice is not measured, after the silence that the provider waits for', async () => {
    const call = await talking();
    await call.model.emit({ kind: 'speech', itemId: 'speech', on: true });
    await call.clock.advance(500 + HANG_OVER_MS - 10);
    expect(call.line.clears).toBe(0);
    await call.clock.advance(20);
    expect(call.line.clears).toBe(1);
  });

  it('are asked about at their end, and drop the rest of the speech when words follow', async () => {
    const call = await talking();
    await speaks(call, 'wait', 800);
    expect(call.model.requests).toHaveLength(2);
    expect(call.model.sent('truncate')).toHaveLength(1);
    await call.model.answers('Yes?');
    expect(call.line.clears).toBe(1);
    await words(call, 'wait', 'Wait a moment');
    await call.line.playsAll();
    expect(call.recorder.lines.slice(-2)).toEqual(['Customer: Wait a moment', 'AI: Yes?']);
    expect(call.model.requests).toHaveLength(2);
  });

  it('let it go on after a backchannel, which is recorded', async () => {
    const call = await talking();
    await speaks(call, 'yes', 600);
    await words(call, 'yes', 'Uh-huh, okay.');
    expect(call.model.sent('cancel')).toEqual([['cancel', 'answer-2']]);
    await call.line.playsAll();
    expect(call.recorder.lines).toContain('Customer: Uh-huh, okay.');
    const heard = call.recorder.lines.filter((one) => one.startsWith('AI: ')).map((one) => one.slice(4));
    expect(heard.join(' ')).toBe('Once upon a time there was a fox in the wood');
  });

  it('let it go on after half a second of voice whose words never come', async () => {
    const call = await talking();
    await speaks(call, 'noise', 600);
    await call.clock.advance(8_000);
    await call.line.playsAll();
    const heard = call.recorder.lines.filter((one) => one.startsWith('AI: ')).map((one) => one.slice(4));
    expect(heard.join(' ')).toBe('Once upon a time there was a fox in the wood');
    expect(call.recorder.lines).not.toContain('Customer: [not transcribed]');
  });
});
