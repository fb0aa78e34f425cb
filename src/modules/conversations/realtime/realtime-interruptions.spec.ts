import { describe, expect, it } from '@jest/globals';
import type { FakeRealtimeModel } from './realtime.fake.js';
import { HANG_OVER_MS, speaks, startRealtimeConversation, words } from './realtime-conversation.fake.js';

type ResponseEvent = Parameters<FakeRealtimeModel['emit']>[0];
type Conversation = Awaited<ReturnType<typeof startRealtimeConversation>>;

/** The assistant speaks. */
async function talking(rules: Parameters<typeof startRealtimeConversation>[1] = {}): Promise<Conversation> {
  const conversation = await startRealtimeConversation({}, rules);
  await conversation.model.customer('Tell me a story', 'story');
  await conversation.model.answers('Once upon a time there was a fox in the wood');
  await conversation.line.playsOne();
  return conversation;
}

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

  describe('whose transcript is late, when the customer has interrupted it meanwhile', () => {
    /** Speech after the sound has stopped the assistant. */
    const interrupts = async (call: Conversation): Promise<void> => {
      await call.model.emit({ kind: 'speech', itemId: 'newer', on: true });
      await call.line.hears(call.clock, 1_000);
      expect(call.line.clears).toBeGreaterThan(0);
    };
    const ends = async (call: Conversation): Promise<void> => {
      await call.line.hears(call.clock, HANG_OVER_MS, false);
      await call.model.commits('newer');
    };
    const soon = async (): Promise<Conversation> => {
      const call = await talking();
      await speaks(call, 'sound', 300);
      await interrupts(call);
      return call;
    };
    const afterItsResponse = async (): Promise<Conversation> => {
      const call = await talking();
      await call.model.emit({ kind: 'speech', itemId: 'sound', on: true });
      await call.line.hears(call.clock, 600);
      // Otherwise only words would stop it for a minute.
      await call.model.emit({ kind: 'words', itemId: 'sound', text: 'Uh' });
      await call.line.hears(call.clock, HANG_OVER_MS, false);
      await call.model.commits('sound');
      await call.clock.advance(1_600);
      await interrupts(call);
      return call;
    };

    it.each<[string, () => Promise<Conversation>, string | null]>([
      ['a sound', soon, ''],
      ['"uh-huh"', soon, 'Uh-huh'],
      ['a sound without a transcript', soon, null],
      ['a sound that was taken for none before', afterItsResponse, ''],
      ['"uh-huh" that was taken for a sound before', afterItsResponse, 'Uh-huh'],
    ])('leave it silent until that speech is over: %s', async (_case, interrupted, text) => {
      const call = await interrupted();
      const { played } = call.line;
      await words(call, 'sound', text);
      await call.line.hears(call.clock, 300);
      await ends(call);
      expect(call.line.played).toBe(played);
      await words(call, 'newer', 'Wait, I have a question');
      expect(call.line.played).toBe(played);
      expect(call.recorder.lines.at(-1)).toBe('Customer: Wait, I have a question');
    });

    it('leave it silent until the words of that speech are known', async () => {
      const call = await afterItsResponse();
      await ends(call);
      const { played } = call.line;
      await words(call, 'sound', '');
      expect(call.line.played).toBe(played);
      await words(call, 'newer', '');
      expect(call.line.played).toBeGreaterThan(played);
    });
  });

  describe('of two seconds, which it does not stop for', () => {
    const overheard = async (): Promise<Conversation> => {
      const call = await talking({ interruptSensitivity: 5 });
      await speaks(call, 'long', 2_000);
      await call.clock.advance(2_000);
      expect(call.recorder.lines).not.toContain('Customer: [not transcribed]');
      return call;
    };

    it.each([
      ['the session ends', (call: Conversation) => call.model.emit({ kind: 'closed' })],
      ['they do not come', (call: Conversation) => call.clock.advance(4_000)],
    ])('are recorded without their words where %s', async (_case, lose) => {
      const call = await overheard();
      await lose(call);
      expect(call.recorder.lines).toContain('Customer: [not transcribed]');
    });

    it.each([
      ['with their words', 'I was just telling my neighbour.', 'Customer: I was just telling my neighbour.'],
      ['not, where there are none', '', null],
    ])('are recorded %s', async (_case, text, line) => {
      const call = await overheard();
      await words(call, 'long', text);
      await call.model.emit({ kind: 'closed' });
      const customer = call.recorder.lines.filter((one) => one.startsWith('Customer: ')).slice(1);
      expect(customer).toEqual(line === null ? [] : [line]);
    });
  });
});

describe('a second of speech over a response that the model still generates', () => {
  const stopped = async (): Promise<Conversation> => {
    const call = await startRealtimeConversation();
    await call.model.customer('Tell me a story', 'story');
    await call.model.says('Once upon a time there was a fox');
    await call.line.playsOne();
    await speaks(call, 'question', 1_200);
    await call.model.emit({ kind: 'done', response: 'answer-1', status: 'cancelled', usage: null });
    return call;
  };

  it.each<[string, string | null, string]>([
    ['with late words', 'Wait, which fox?', 'Customer: Wait, which fox?'],
    ['without a transcript', null, 'Customer: [not transcribed]'],
  ])('is answered in its place, %s', async (_case, text, line) => {
    const call = await stopped();
    expect(call.model.requests).toHaveLength(2);
    await call.model.answers('A red one.');
    await call.clock.advance(4_900);
    await call.line.playsAll();
    await words(call, 'question', text);
    await call.clock.advance(5_000);
    await call.line.playsAll();
    expect(call.recorder.lines.slice(1)).toEqual(['AI: Once upon a', line, 'AI: A red one.']);
    expect(call.model.requests).toHaveLength(2);
  });

  it.each([
    ['', 'is a sound'],
    ['Uh-huh, okay.', 'is that of a listener'],
  ])('is followed by the rest of it where %j %s', async (text) => {
    const call = await stopped();
    await words(call, 'question', text);
    await call.model.emit({ kind: 'done', response: 'answer-2', status: 'cancelled', usage: null });
    const rest = call.model.requests.at(-1);
    expect(rest?.kind === 'answer' && rest.instruction).toContain('broke off');
    await call.model.answers('who lived in a wood.');
    await call.line.playsAll();
    // The last word of a response that was given up counts as unfinished.
    expect(call.recorder.lines.filter((one) => one.startsWith('AI: '))).toEqual([
      'AI: Once upon a',
      'AI: time there was a',
      'AI: who lived in a wood.',
    ]);
  });
});

describe('a response that the customer cancels while it waits to be requested again', () => {
  it.each<[string, (response: string) => ResponseEvent]>([
    ['another one was active', (response) => ({ kind: 'refused', response, isBusy: true })],
    ['it was refused', (response) => ({ kind: 'refused', response, isBusy: false })],
    ['it failed', (response) => ({ kind: 'done', response, status: 'failed', usage: null })],
  ])('is not requested, and the next one at once, where %s', async (_case, fails) => {
    const { model, clock } = await startRealtimeConversation();
    await model.customer('Tell me a story', 'story');
    await model.emit(fails('answer-1'));
    await model.customer('No, a poem', 'poem');
    expect(model.requests.map(({ response }) => response)).toEqual(['answer-1', 'answer-2']);
    await clock.advance(300);
    expect(model.requests).toHaveLength(2);
  });

  it('is not requested, and the next one at once, where it is refused after that', async () => {
    const { model, clock } = await startRealtimeConversation();
    await model.customer('Tell me a story', 'story');
    await model.customer('No, a poem', 'poem');
    await model.emit({ kind: 'refused', response: 'answer-1', isBusy: true });
    expect(model.requests.map(({ response }) => response)).toEqual(['answer-1', 'answer-2']);
    await clock.advance(300);
    expect(model.requests).toHaveLength(2);
  });
});
