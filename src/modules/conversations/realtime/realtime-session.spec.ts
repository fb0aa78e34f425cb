import { describe, expect, it } from '@jest/globals';
import type { CallSessionEvent } from '../../telephony/call-session.js';
import type { StreamRequest } from '../../llm/language-model.js';
import { FakeClock, flushPromises } from '../engine/clock.fake.js';
import { EnergyVoiceDetector } from '../../speech/audio/energy-voice-detector.js';
import {
  CHARACTER_BYTES,
  FakePhoneLine,
  FakeRealtimeModel,
  openSession,
  INTERRUPTION_RULES,
} from './realtime.fake.js';
import { RealtimeSession } from './realtime-session.js';

const SPEECH = { interruptible: true, preemptible: false };
const REQUEST: StreamRequest = {
  model: 'gpt-realtime',
  temperature: 0,
  messages: [{ role: 'system', text: 'You are Ada.' }],
  tools: [],
  mayCallTools: true,
  maxOutputTokens: 10,
};

async function listening(rules: Partial<typeof INTERRUPTION_RULES> = {}) {
  const opened = await openSession(rules);
  const events: CallSessionEvent[] = [];
  opened.session.onEvent((event) => events.push(event));
  return { ...opened, events };
}

/** Reads an answer; what it threw stands at the end. */
function read(session: RealtimeSession, signal = new AbortController().signal): unknown[] {
  const deltas: unknown[] = [];
  void (async () => {
    try {
      for await (const delta of session.stream(REQUEST, signal)) deltas.push(delta);
    } catch (error) {
      deltas.push(error instanceof Error ? error.name : error);
    }
  })();
  return deltas;
}

describe('RealtimeSession', () => {
  it("sends the customer's audio to the model, and keys to the conversation", async () => {
    const { line, model, events } = await listening();
    await line.emit({ kind: 'audio', audio: Buffer.alloc(160) });
    await line.emit({ kind: 'digit', digit: '5' });
    expect(model.sent('append')).toEqual([['append', 160]]);
    expect(events).toEqual([{ kind: 'digit', digit: '5' }]);
  });

  it('reports complete words as they are played, each once', async () => {
    const { line, model, session, events } = await listening();
    session.say('Good morning to you', true, SPEECH);
    await model.answers('Good morning to you');
    expect(line.marks).toEqual([
      // At most 250 ms each.
      '1:sentence-1:250',
      '1:sentence-1:500',
      '1:sentence-1:750',
      '1:sentence-1:960',
      '1:sentence-1:1140',
    ]);
    await line.playsAll();
    expect(events).toEqual(['Good', ' morning', ' to', ' you'].map((text) => ({ kind: 'played', text })));
  });

  it('reports no words without audio when the model closes the session', async () => {
    const { clock, line, model, session, events } = await listening();
    session.say('Are you still there, my friend?', true, SPEECH);
    const [response, itemId] = ['sentence-1', 'item_1'];
    await model.emit(
      { kind: 'transcript', response, itemId, text: 'Are you still there, my friend?' },
      { kind: 'audio', response, itemId, audio: Buffer.alloc('Are you still '.length * CHARACTER_BYTES) },
    );
    await line.playsAll();
    // No mark follows the last 90 ms.
    await clock.advance(90);
    await model.emit({ kind: 'closed' });
    const told = events.flatMap((event) => (event.kind === 'played' ? event.text : [])).join('');
    expect(told).toBe('Are you still');
  });

  it('marks audio that comes in pieces of 20 ms every 100 ms, and its end', async () => {
    const { line, model, session, events } = await listening();
    session.say('Hello', true, SPEECH);
    const [response, itemId] = ['sentence-1', 'item_1'];
    for (let piece = 0; piece < 12; piece++)
      await model.emit({ kind: 'audio', response, itemId, audio: Buffer.alloc(160) });
    expect(line.marks).toEqual(['1:sentence-1:100', '1:sentence-1:200']);
    await line.playsAll();
    await model.emit({ kind: 'done', response, status: 'completed', usage: null });
    expect(line.marks).toEqual(['1:sentence-1:240']);
    expect(events).toEqual([]);
    await line.playsAll();
    expect(events).toEqual([{ kind: 'played', text: 'Hello' }]);
  });

  it('does not play an answer before it is requested, nor an abandoned one', async () => {
    const { line, model, session } = await listening();
    const over = new AbortController();
    read(session, over.signal);
    await flushPromises();
    await model.says('Good morning');
    expect(line.played).toBe(0);
    over.abort();
    await flushPromises();
    expect(model.sent('cancel')).toEqual([['cancel', 'answer-1']]);
    await model.emit({ kind: 'done', response: 'answer-1', status: 'cancelled', usage: null });
    read(session);
    await flushPromises();
    expect(model.sent('truncate')).toEqual([['truncate', 'item_answer-1', 0]]);
    expect(line.played).toBe(0);
  });

  it('does not play audio of an abandoned answer', async () => {
    const { line, model, session } = await listening();
    const over = new AbortController();
    read(session, over.signal);
    await flushPromises();
    session.say('Hm', true, SPEECH);
    await model.says('Good', 'answer-1');
    session.say('Good', false, SPEECH);
    over.abort();
    await model.says(' morning', 'answer-1');
    await model.answers('Hm');
    expect(line.played).toBe('HmGood'.length * CHARACTER_BYTES);
  });

  it('requests the next answer when the cancelled one has ended, or after a second', async () => {
    const { clock, model, session } = await listening();
    const over = new AbortController();
    read(session, over.signal);
    await flushPromises();
    over.abort();
    read(session);
    await flushPromises();
    expect(model.requests).toHaveLength(1);
    await clock.advance(1_000);
    expect(model.requests).toHaveLength(2);
  });

  it('retries what is refused because another response is active', async () => {
    const { clock, model, session } = await listening();
    session.say('Hello', true, SPEECH);
    await model.emit({ kind: 'refused', response: 'sentence-1', isBusy: true });
    await clock.advance(300);
    expect(model.requests.map(({ response }) => response)).toEqual(['sentence-1', 'sentence-1']);
    expect(session.failed).toBe(false);
  });

  it.each(['completed', 'incomplete'] as const)(
    'fails when a response is %s without audio',
    async (status) => {
      for (const text of ['', 'We open at nine.']) {
        const { model, session } = await listening();
        const played: string[] = [];
        session.onEvent((event) => event.kind === 'played' && played.push(event.text));
        session.say('Hello', true, SPEECH);
        const response = 'sentence-1';
        if (text) await model.emit({ kind: 'transcript', response, itemId: 'item_1', text });
        await model.emit({ kind: 'done', response, status, usage: null });
        expect([session.failed, played]).toEqual([true, []]);
      }
    },
  );

  it('accepts an answer that calls a tool without speech as complete', async () => {
    const { model, session } = await listening();
    const deltas = read(session);
    await flushPromises();
    const call = { id: 'call_1', name: 'look_up', arguments: '{}' };
    await model.emit({ kind: 'call', response: 'answer-1', itemId: 'item_1', call });
    await model.emit({ kind: 'done', response: 'answer-1', status: 'completed', usage: null });
    expect([session.failed, deltas]).toEqual([false, [{ kind: 'tool_call', ...call }]]);
  });

  it('adds the cost of fixed sentences to the next answer', async () => {
    const { model, session } = await listening();
    session.say('Hello', true, SPEECH);
    const usage = { prompt: 10, cached: 1, completion: 5 };
    await model.says('Hello', 'sentence-1');
    await model.emit({ kind: 'done', response: 'sentence-1', status: 'completed', usage });
    const deltas = read(session);
    await flushPromises();
    await model.says('Good', 'answer-2');
    await model.emit({ kind: 'done', response: 'answer-2', status: 'completed', usage });
    expect(deltas.slice(-1)).toEqual([
      { kind: 'usage', model: 'gpt-realtime', prompt: 20, cached: 2, completion: 10 },
    ]);
  });

  it('treats words that are not transcribed as not understood, after 5 s or when the model reports it', async () => {
    const { clock, model, events } = await listening();
    await model.emit({ kind: 'speech', itemId: 'a', on: true }, { kind: 'speech', itemId: 'a', on: false });
    await clock.advance(5_000);
    await model.emit({ kind: 'heard', itemId: 'a', text: 'too late' });
    await model.emit({ kind: 'speech', itemId: 'b', on: true }, { kind: 'speech', itemId: 'b', on: false });
    await model.emit({ kind: 'heard', itemId: 'b', text: null });
    const utterance = { kind: 'utterance', text: '[not transcribed]', final: true };
    expect(events.filter(({ kind }) => kind === 'utterance')).toEqual([
      { ...utterance, turn: 'a' },
      { ...utterance, turn: 'b' },
    ]);
  });

  it.each<[string, (model: FakeRealtimeModel, response: string) => Promise<void>]>([
    ['refuses', (model, response) => model.emit({ kind: 'refused', response, isBusy: false })],
    ['fails in', (model, response) => model.emit({ kind: 'done', response, status: 'failed', usage: null })],
  ])(
    'asks again when the model %s a response, and ends for the conversation the second time',
    async (_, breaks) => {
      const { clock, line, model, session, events } = await listening();
      const deltas = read(session);
      await flushPromises();
      await breaks(model, 'answer-1');
      await clock.advance(300);
      expect(model.sent('respond')).toEqual([
        ['respond', 'answer-1'],
        ['respond', 'answer-1-again'],
      ]);
      expect(session.failed).toBe(false);
      await breaks(model, 'answer-1-again');
      expect(session.failed).toBe(true);
      expect(events.at(-1)).toEqual({ kind: 'closed' });
      expect(deltas).toEqual(['LanguageModelError']);
      expect(line.ended).toBeNull();
      await line.emit({ kind: 'audio', audio: Buffer.alloc(160) });
      expect(model.sent('append')).toEqual([]);
    },
  );

  it('ends for the conversation, and leaves the line open, when the model closes the session', async () => {
    const { line, model, session, events } = await listening();
    const deltas = read(session);
    await flushPromises();
    await model.emit({ kind: 'closed' });
    expect([session.failed, events.at(-1), deltas]).toEqual([
      true,
      { kind: 'closed' },
      ['LanguageModelError'],
    ]);
    expect(line.ended).toBeNull();
  });

  it('asks again when a response does not begin for 4 s, or pauses for 2.5 s', async () => {
    for (const [words, limitMs] of [
      ['', 4_000],
      ['Well', 2_500],
    ] as const) {
      const { clock, model, session } = await listening();
      read(session);
      await flushPromises();
      await model.says(words);
      await clock.advance(limitMs - 100);
      expect(model.requests).toHaveLength(1);
      await clock.advance(500);
      expect(model.sent('cancel')).toEqual([['cancel', 'answer-1']]);
      expect(model.requests).toHaveLength(2);
      expect(session.failed).toBe(false);
      await clock.advance(4_100);
      expect(session.failed).toBe(true);
    }
  });

  it('asks four times at most for responses that fail', async () => {
    const { clock, model, session } = await listening();
    for (let count = 1; count <= 4; count += 1) {
      session.say(`Sentence ${count}.`, true, SPEECH);
      await model.emit({ kind: 'done', response: `sentence-${count}`, status: 'failed', usage: null });
      await clock.advance(300);
      expect(session.failed).toBe(count === 4);
      await model.answers(`Sentence ${count}.`);
    }
  });

  it('is closed from the beginning when the model cannot be reached', async () => {
    const line = new FakePhoneLine();
    const model = new FakeRealtimeModel();
    model.isAway = true;
    const { settings } = (await openSession()).model;
    if (!settings) throw new Error('no settings');
    const session = new RealtimeSession(
      line,
      new FakeClock(),
      settings,
      INTERRUPTION_RULES,
      new EnergyVoiceDetector(),
    );
    await session.connect(model);
    const events: CallSessionEvent[] = [];
    session.onEvent((event) => events.push(event));
    expect([session.failed, events]).toEqual([true, [{ kind: 'closed' }]]);
  });
});
