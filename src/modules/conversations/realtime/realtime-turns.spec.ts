import { describe, expect, it } from '@jest/globals';
import { HANG_OVER_MS, speaks, startRealtimeConversation, words } from './realtime-conversation.fake.js';

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

  it('stops its response where the customer is still going on, and answers all of it', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 1_200);
    await call.model.answers('There is one place left.');
    await call.model.emit({ kind: 'speech', itemId: 'two', on: true });
    await words(call, 'one', 'Is there a place free on');
    await call.line.hears(call.clock, 8_000);
    expect(call.line.clears).toBe(1);
    await call.line.hears(call.clock, HANG_OVER_MS, false);
    await call.model.commits('two');
    await call.model.answers('On Friday there is.');
    await words(call, 'two', 'Friday or on Saturday?');
    await call.line.playsAll();
    expect(call.recorder.lines).toEqual([
      'Customer: Is there a place free on',
      'Customer: Friday or on Saturday?',
      'AI: On Friday there is.',
    ]);
  });

  it('is silent while words of the customer come', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 1_200);
    await call.model.answers('There is one place left.');
    await call.model.emit({ kind: 'speech', itemId: 'two', on: true });
    await words(call, 'one', 'Is there a place free on');
    for (let seconds = 0; seconds < 20; seconds += 2) {
      await call.model.emit({ kind: 'words', itemId: 'two', text: 'Friday or ' });
      await call.clock.advance(2_000);
    }
    expect(call.line.played).toBe(0);
  });

  describe('who speaks for minutes', () => {
    const speaking = async () => {
      const call = await startRealtimeConversation({ maxSilenceSeconds: 10, reengagementSeconds: 100 });
      await call.model.emit({ kind: 'speech', itemId: 'long', on: true });
      return call;
    };

    it('is heard to the end, and answered', async () => {
      const call = await speaking();
      await call.line.hears(call.clock, 150_000);
      expect(call.model.requests).toEqual([]);
      await call.line.hears(call.clock, HANG_OVER_MS, false);
      await call.model.commits('long');
      expect(call.model.requests).toMatchObject([{ kind: 'answer' }]);
    });

    it('counts as silent after 3 minutes of voice without words', async () => {
      const call = await speaking();
      await call.line.hears(call.clock, 189_900);
      expect(call.model.requests).toEqual([]);
      await call.line.hears(call.clock, 200);
      expect(call.model.requests).toMatchObject([{ kind: 'sentence' }]);
    });

    it('counts as silent 30 s after the last voice', async () => {
      const call = await speaking();
      await call.line.hears(call.clock, 50_000);
      await call.line.hears(call.clock, 39_900, false);
      expect(call.model.requests).toEqual([]);
      await call.line.hears(call.clock, 200, false);
      expect(call.model.requests).toMatchObject([{ kind: 'sentence' }]);
    });
  });

  it.each([
    ['noise without end within 2.5 s', 2_500, false, 12_000, 1],
    ['noise that begins again and again within 2.5 s', 2_500, false, 900, 1],
    ['voices that begin again and again within 3 s', 3_000, true, 900, Infinity],
  ])('answers in %s', async (_case, withinMs, isVoice, noiseMs, mostRequests) => {
    const call = await startRealtimeConversation();
    const { model, line, clock } = call;
    await speaks(call, 'one', 1_200);
    await words(call, 'one', 'Is there a place free?');
    const askedAt = clock.now();
    let answeredAt = Infinity;
    const { play } = line;
    line.play = (audio) => {
      answeredAt = Math.min(answeredAt, clock.now());
      play.call(line, audio);
    };
    for (let answered = 0, count = 1; clock.now() < askedAt + 10_000; count += 1) {
      const itemId = `noise-${count}`;
      await model.emit({ kind: 'speech', itemId, on: true });
      await line.hears(clock, 300, isVoice);
      if (model.requests.length > answered) await model.answers('There is.');
      answered = model.requests.length;
      await line.hears(clock, noiseMs - 300, isVoice);
      await line.hears(clock, HANG_OVER_MS, false);
      await model.commits(itemId);
      await clock.advance(200);
      void clock.setTimeout(() => void words(call, itemId, ''), 500);
    }
    expect(answeredAt - askedAt).toBeLessThanOrEqual(withinMs);
    expect(model.requests.length).toBeLessThanOrEqual(mostRequests);
  });

  it('goes on with its speech while a voice speaks that follows two without words', async () => {
    const call = await startRealtimeConversation();
    await call.model.customer('Tell me a story', 'story');
    await call.model.answers('Once upon a time there was a fox in the wood');
    await speaks(call, 'first', 600);
    await speaks(call, 'second', 600);
    await words(call, 'first', '');
    await call.model.emit({ kind: 'speech', itemId: 'third', on: true });
    await call.line.hears(call.clock, 300);
    const { played } = call.line;
    await words(call, 'second', '');
    expect([call.line.clears, call.line.played > played]).toEqual([1, true]);
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
      await call.model.customer('Hello?');
      // A call without a result, which the model would take for its own.
      expect(call.model.sent('delete')).toEqual(runs === 0 ? [['delete', 'item_call']] : []);
    }
  });

  it('leaves no call of a tool in the model that arrives after its response was withdrawn', async () => {
    const call = await startRealtimeConversation();
    await speaks(call, 'one', 300);
    await words(call, 'one', '');
    const tool = { id: 'call_1', name: 'check_slot', arguments: '{}' };
    const base = { response: 'answer-1', itemId: 'item_call' };
    await call.model.emit({ kind: 'call', ...base, call: tool });
    await call.model.emit({ kind: 'done', response: 'answer-1', status: 'cancelled', usage: null });
    await call.model.customer('Hello?');
    expect(call.model.sent('delete')).toEqual([['delete', 'item_call']]);
    expect(call.tools.runs).toEqual([]);
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
