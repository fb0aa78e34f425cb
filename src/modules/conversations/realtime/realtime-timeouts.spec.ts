import { describe, expect, it } from '@jest/globals';
import { startRealtimeConversation } from './realtime-conversation.fake.js';

type Conversation = Awaited<ReturnType<typeof startRealtimeConversation>>;

async function asked(): Promise<Conversation> {
  const call = await startRealtimeConversation();
  await call.model.customer('Is Monday free?');
  return call;
}

describe('a realtime model that is too slow', () => {
  it.each<[string, (call: Conversation) => Promise<void>]>([
    ['does not begin a response', async () => undefined],
    ['has not ended the one before', ({ model }) => model.customer('Or Tuesday?')],
    [
      'thinks, and says nothing',
      async ({ model, clock }) => {
        for (let second = 0; second < 8; second += 1) {
          await model.emit({ kind: 'progress', response: 'answer-1' });
          await clock.advance(1_000);
        }
      },
    ],
  ])('is replaced before the engine ends the call: it %s', async (_case, happens) => {
    const call = await asked();
    const begin = call.clock.now();
    await happens(call);
    await call.clock.advance(begin + 9_900 - call.clock.now());
    expect([call.session.failed, call.reason()]).toEqual([true, 'line_lost']);
  });

  it('has 4 s for each part of a response, and for each piece of the arguments of a call', async () => {
    const { model, clock, line, tools, session } = await asked();
    const response = 'answer-1';
    await model.says('Let me see.');
    await line.playsAll();
    for (const ms of [0, 3_900, 2_600, 2_600]) {
      await clock.advance(ms);
      await model.emit({ kind: 'progress', response });
    }
    const call = { id: 'call_1', name: 'check_slot', arguments: '{"day":"Monday"}' };
    await model.emit({ kind: 'call', response, itemId: 'item_2', call });
    await model.ends(response);
    expect(tools.runs).toEqual([{ name: 'check_slot', args: { day: 'Monday' } }]);
    await model.answers('It is free.');
    await line.playsAll();
    expect([model.sent('cancel'), session.failed]).toEqual([[], false]);
  });
});

describe('a rate limit of a realtime model', () => {
  const limited = (retryAfterMs: number) =>
    ({ kind: 'done', response: 'answer-1', status: 'failed', usage: null, retryAfterMs }) as const;

  it('is waited for, behind a phrase', async () => {
    const { model, clock, session } = await asked();
    const before = model.requests.length;
    await model.emit(limited(3_000));
    await clock.advance(2_900);
    expect(model.requests.slice(before)).toMatchObject([{ kind: 'sentence', text: 'One moment, please.' }]);
    await clock.advance(100);
    expect(model.requests.at(-1)).toMatchObject({ kind: 'answer', response: 'answer-1-again' });
    expect(session.failed).toBe(false);
  });

  it('ends the session where it lasts longer than customers wait', async () => {
    const { model, session } = await asked();
    await model.emit(limited(4_100));
    expect(session.failed).toBe(true);
  });
});

describe('a filler of a realtime model', () => {
  const FILLER = 'One moment.';

  /** The answer is waited for, and the filler as well. */
  async function waiting(): Promise<Conversation> {
    const call = await startRealtimeConversation({ fillers: { neutral: [FILLER] } });
    await call.model.customer('Monday, please.');
    await call.clock.advance(700);
    expect(call.model.requests.at(-1)).toMatchObject({ kind: 'sentence', text: FILLER });
    return call;
  }

  async function answers({ model, line }: Conversation): Promise<void> {
    await model.says('It is free.', 'answer-1');
    await model.ends('answer-1');
    await line.playsAll();
  }

  it('is spoken before the answer, and recorded', async () => {
    const call = await waiting();
    await call.model.answers(FILLER);
    await answers(call);
    expect(call.recorder.lines.slice(1)).toEqual([`AI: ${FILLER}`, 'AI: It is free.']);
  });

  it.each<[string, (call: Conversation, response: string) => Promise<void>]>([
    ['has no audio when the answer begins', async () => undefined],
    [
      'does not begin',
      async ({ model, clock }) => {
        await clock.advance(2_000);
        await model.emit({ kind: 'progress', response: 'answer-1' });
        await clock.advance(2_100);
      },
    ],
    ['is refused', ({ model }, response) => model.emit({ kind: 'refused', response, isBusy: false })],
    ['fails', ({ model }, response) => model.emit({ kind: 'done', response, status: 'failed', usage: null })],
    ['has no audio', ({ model }, response) => model.ends(response)],
  ])('is left out where it %s', async (_case, happens) => {
    const call = await waiting();
    await happens(call, 'sentence-2');
    const at = call.clock.now();
    await answers(call);
    expect(call.clock.now()).toBe(at);
    expect(call.recorder.lines.slice(1)).toEqual(['AI: It is free.']);
    expect([call.session.failed, call.recorder.played.size]).toEqual([false, 1]);
  });

  it('ends where its audio ends when it fails', async () => {
    const call = await waiting();
    await call.model.says('One ');
    await call.model.emit({ kind: 'done', response: 'sentence-2', status: 'failed', usage: null });
    await answers(call);
    expect(call.recorder.lines.slice(1)).toEqual(['AI: One', 'AI: It is free.']);
    expect(call.session.failed).toBe(false);
  });
});

describe('the end of a call with a realtime model', () => {
  it('ends the wait for speech, which is not requested again', async () => {
    const { model, line, clock } = await startRealtimeConversation({ greeting: 'Good morning.' });
    // Their last words are waited for.
    await model.emit({ kind: 'speech', itemId: 'last', on: true });
    await clock.advance(2_000);
    await line.emit({ kind: 'closed' });
    await clock.advance(30_000);
    expect([model.requests.length, model.sent('cancel').length, clock.pending]).toEqual([1, 0, 0]);
  });
});
