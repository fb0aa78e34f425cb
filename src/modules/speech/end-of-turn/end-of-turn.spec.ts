import { beforeEach, describe, expect, it } from '@jest/globals';
import { EndOfTurn } from './end-of-turn.js';
import type { TurnAudio, TurnVerdict } from './end-of-turn-model.js';
import { FakeTurnModel } from './end-of-turn.fake.js';

const FRAME_MS = 20;
const RATE = 8_000;
const QUESTION = 'Does Friday suit you?';

let model: FakeTurnModel;
let end: EndOfTurn;

function start(baseMs = 600, own = model): void {
  end = new EndOfTurn(baseMs, () => 0, {
    model: own,
    sampleRate: RATE,
    isShortAnswer: (heard, words) => heard.endsWith('?') && words === 'Yes',
  });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function pass(isVoice: boolean, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += FRAME_MS) {
    end.addAudio(new Int16Array((RATE * FRAME_MS) / 1000).fill(isVoice ? 1_000 : 0));
    end.addFrame(isVoice, FRAME_MS);
    await settled();
  }
}

beforeEach(() => {
  model = new FakeTurnModel('unsure');
  start();
});

describe('EndOfTurn with a model', () => {
  it.each<[TurnVerdict | 'late', number, number]>([
    ['complete', 600, 300],
    ['incomplete', 600, 2_500],
    ['unsure', 600, 600],
    ['late', 600, 600],
    ['complete', 4_000, 2_000],
    ['incomplete', 4_000, 4_000],
  ])('whose answer is %s waits, with %i ms configured, for %i ms', async (answer, baseMs, silenceMs) => {
    model = new FakeTurnModel(answer);
    start(baseMs);
    await pass(true, 1_000);
    expect(end.silenceMs).toBe(baseMs);
    await pass(false, baseMs / 2);
    expect(end.silenceMs).toBe(silenceMs);
  });

  it('asks once in a pause, 0.1 s before the turn may end, and not in shorter ones', async () => {
    await pass(true, 1_000);
    await pass(false, 180);
    await pass(true, 200);
    await pass(false, 180);
    expect(model.questions).toHaveLength(0);
    await pass(false, 20);
    expect(model.questions).toHaveLength(1);
    await pass(false, 5_000);
    expect(model.questions).toHaveLength(1);
    await pass(true, 200);
    await pass(false, 200);
    expect(model.questions).toHaveLength(2);
  });

  it('gives it the audio of the turn', async () => {
    await pass(false, 3_000);
    await pass(true, 1_000);
    await pass(false, 200);
    const { samples, sampleRate } = model.questions[0] ?? ({} as TurnAudio);
    const ms = (samples.length * 1000) / sampleRate;
    expect(ms).toBeGreaterThanOrEqual(1_200);
    expect(ms).toBeLessThanOrEqual(1_560);
  });

  it('forgets the answer when the customer goes on', async () => {
    model.answer = 'incomplete';
    await pass(true, 1_000);
    await pass(false, 260);
    expect(end.silenceMs).toBe(2_500);
    model.answer = 'unsure';
    await pass(true, 200);
    expect(end.silenceMs).toBe(600);
  });

  it('ignores an answer that comes when the customer has gone on', async () => {
    let answer: (verdict: TurnVerdict) => void = () => undefined;
    model.classify = () => new Promise((resolve) => (answer = resolve));
    await pass(true, 1_000);
    await pass(false, 260);
    await pass(true, 100);
    await pass(false, 40);
    answer('complete');
    await settled();
    expect(end.silenceMs).toBe(600);
  });

  it('keeps no audio where no model is set', async () => {
    model = new FakeTurnModel();
    start();
    await pass(true, 1_000);
    await pass(false, 600);
    expect([model.questions, end.silenceMs]).toEqual([[], 600]);
  });

  it('is not asked before anybody has spoken', async () => {
    await pass(false, 2_000);
    expect(model.questions).toHaveLength(0);
  });
});

describe('EndOfTurn with a short answer', () => {
  async function answers(heard: string, words: string, voiceMs = 500): Promise<number> {
    end.markPlayed(heard);
    await pass(true, voiceMs);
    end.setWords(words);
    return end.silenceMs;
  }

  it('waits for half of the configured silence after a question', async () => {
    expect(await answers(QUESTION, 'Yes')).toBe(300);
  });

  it.each([
    ['other words', QUESTION, 'Yes but', 500],
    ['no question', 'Friday is free.', 'Yes', 500],
    ['more voice than the words have', QUESTION, 'Yes', 1_500],
  ])('waits as usual after %s', async (_, heard, words, voiceMs) => {
    expect(await answers(heard, words, voiceMs)).toBe(600);
  });

  it('waits as usual when the customer goes on after it', async () => {
    await answers(QUESTION, 'Yes');
    await pass(false, 240);
    await pass(true, 600);
    expect(end.silenceMs).toBe(600);
  });

  it('counts words that become known in the pause', async () => {
    end.markPlayed(QUESTION);
    await pass(true, 400);
    await pass(false, 400);
    end.setWords('Yes');
    expect(end.silenceMs).toBe(300);
  });

  it('is decided by the words where the model finds the turn incomplete', async () => {
    model.answer = 'incomplete';
    await answers(QUESTION, 'Yes');
    await pass(false, 280);
    expect(end.silenceMs).toBe(300);
  });

  it('forgets it with the next turn', async () => {
    await answers(QUESTION, 'Yes');
    await pass(false, 3_000);
    await pass(true, 400);
    expect(end.silenceMs).toBe(600);
  });
});
