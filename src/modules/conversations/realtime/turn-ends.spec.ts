import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock, flushPromises } from '../engine/clock.fake.js';
import { FakeTurnModel } from '../../speech/end-of-turn/end-of-turn.fake.js';
import type { TurnVerdict } from '../../speech/end-of-turn/end-of-turn-model.js';
import type { TurnDetection } from '../../speech/realtime-model.js';
import { FakePhoneLine, FakeRealtimeModel, INTERRUPTION_RULES } from './realtime.fake.js';
import { EnergyVoiceDetector } from '../../speech/audio/energy-voice-detector.js';
import { RealtimeSession } from './realtime-session.js';

const BY_SILENCE: TurnDetection = { by: 'silence', silenceMs: 600, threshold: 0.5 };
const BY_MEANING: TurnDetection = { by: 'meaning', eagerness: 'high' };
const QUESTION = 'Does Friday at nine suit you?';

let clock: FakeClock;
let line: FakePhoneLine;
let model: FakeRealtimeModel;

beforeEach(() => {
  clock = new FakeClock();
  line = new FakePhoneLine();
  model = new FakeRealtimeModel();
});

async function open(turnModel: FakeTurnModel, turnDetection = BY_SILENCE): Promise<RealtimeSession> {
  const settings = {
    model: 'gpt-realtime',
    format: 'pcmu-8000' as const,
    voice: null,
    speed: 1,
    language: 'en-US',
    reducesNoise: true,
    turnDetection,
  };
  const detector = new EnergyVoiceDetector();
  const parts = [INTERRUPTION_RULES, detector, undefined, turnModel] as const;
  const session = new RealtimeSession(line, clock, settings, ...parts);
  session.onEvent(() => undefined);
  await session.connect(model);
  await line.hears(clock, 500, false);
  return session;
}

/** Silences that the provider was told to wait for. */
const silences = (): unknown[] =>
  model.sent('detect').map((entry) => (entry as [string, { silenceMs: number }])[1].silenceMs);

async function asks(session: RealtimeSession): Promise<void> {
  session.say(QUESTION, true, { interruptible: true, preemptible: false });
  await model.answers(QUESTION);
  await line.playsAll();
}

describe('the end of a turn with a realtime model', () => {
  it.each<[TurnVerdict, number[]]>([
    ['complete', [300]],
    ['incomplete', [2_500]],
    ['unsure', []],
  ])('that the model finds %s: the provider waits for %j ms', async (verdict, expected) => {
    await open(new FakeTurnModel(verdict));
    await line.hears(clock, 800);
    await line.hears(clock, 280, false);
    await flushPromises();
    expect(silences()).toEqual(expected);
  });

  it('is found as before when the customer speaks again', async () => {
    await open(new FakeTurnModel('incomplete'));
    await line.hears(clock, 800);
    await line.hears(clock, 280, false);
    await line.hears(clock, 200);
    expect(silences()).toEqual([2_500, 600]);
  });

  it('asks no model where the provider decides by the meaning', async () => {
    const turnModel = new FakeTurnModel('complete');
    await open(turnModel, BY_MEANING);
    await line.hears(clock, 800);
    await line.hears(clock, 600, false);
    expect([turnModel.questions, silences()]).toEqual([[], []]);
  });

  it.each([
    ['Yes.', [300]],
    ['Yes, but not ', []],
  ])('after a question and the words %j: the provider waits for %j ms', async (words, expected) => {
    const session = await open(new FakeTurnModel());
    await asks(session);
    await model.emit({ kind: 'speech', itemId: 'one', on: true });
    await line.hears(clock, 400);
    await model.emit({ kind: 'words', itemId: 'one', text: words });
    await line.hears(clock, 100, false);
    expect(silences()).toEqual(expected);
  });
});
