import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeTurnModel } from '../speech/end-of-turn/end-of-turn.fake.js';
import type { TurnVerdict } from '../speech/end-of-turn/end-of-turn-model.js';
import {
  FakeAudioLine,
  FakeSynthesizer,
  FakeTranscriber,
  FakeVoiceDetector,
  playFor,
} from '../speech/speech.fake.js';
import { SpeechSession } from '../speech/speech-session.js';
import type { RelaySettings } from '../telephony/call-session.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { isShortAnswer } from './engine/interruption-policy.js';

const FRAME_MS = 20;
const access = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };
const QUESTIONS = {
  'en-US': ['Does Friday at nine suit you?', 'Yes, please.'],
  'de-DE': ['Passt Ihnen Freitag um neun?', 'Ja.'],
  'fr-FR': ['Vendredi à neuf heures vous convient ?', 'Non merci.'],
  'es-MX': ['¿Le conviene el viernes a las nueve?', 'Sí.'],
  'pl-PL': ['Czy pasuje Panu piątek o dziewiątej?', 'Tak.'],
  'ja-JP': ['金曜日の九時でよろしいですか。', 'はい。'],
} as const;

let line: FakeAudioLine;
let transcriber: FakeTranscriber;
let detector: FakeVoiceDetector;
let session: SpeechSession;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  session.end('test');
  jest.useRealTimers();
});

function open(
  relay: Partial<RelaySettings> = {},
  turnModel = new FakeTurnModel(),
  abilities: Partial<FakeTranscriber> = { sendsPartials: true },
): void {
  line = new FakeAudioLine();
  transcriber = Object.assign(new FakeTranscriber(), abilities);
  detector = new FakeVoiceDetector();
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  session = new SpeechSession(
    { line, transcriber, detector, turnModel },
    {
      relay: fakeRelaySettings(relay),
      interrupts: () => false,
      isShortAnswer,
      transcription: { name: 'any', access },
      voices: [{ name: 'any', synthesizer: new FakeSynthesizer(), provider: access, ...voice }],
    },
  );
}

async function says(text: string): Promise<void> {
  session.say(text, true, { interruptible: true, preemptible: false });
  await playFor(line, text.length * 50 + 500);
}

/** The customer speaks, and words become known. @returns milliseconds of silence until the turn ends, at most 3 s */
async function silenceAfter(voiceMs: number, words: string | null, wordsAfterMs = 0): Promise<number> {
  const [stream] = transcriber.streams;
  detector.voice(voiceMs);
  for (let ms = 0; ms < 3_000; ms += FRAME_MS) {
    if (words !== null && ms === wordsAfterMs) transcriber.emit({ kind: 'partial', text: words });
    detector.silence(FRAME_MS);
    await jest.advanceTimersByTimeAsync(FRAME_MS);
    if (stream?.log.includes('ended')) return ms + FRAME_MS;
  }
  return 3_000;
}

describe('the end of a turn with speech providers', () => {
  it.each(Object.entries(QUESTIONS))(
    'is half of the usual silence after a short answer to a question, in %s',
    async (language, [question, answer]) => {
      open({ language });
      await says(question);
      expect(await silenceAfter(500, answer)).toBe(300);
    },
  );

  it('comes with the words of a short answer that are known later', async () => {
    open();
    await says(QUESTIONS['en-US'][0]);
    expect(await silenceAfter(500, 'Yes.', 440)).toBe(460);
  });

  it.each([
    ['what is no question', 'Friday at nine is free.', 'Yes.'],
    ['a question, with more to say', QUESTIONS['en-US'][0], 'Yes, but'],
    ['a question, with a number', QUESTIONS['en-US'][0], 'Yes, at 10'],
    ['a question, without words', QUESTIONS['en-US'][0], null],
  ])('is as usual after %s', async (_, heard, words) => {
    open();
    await says(heard);
    expect(await silenceAfter(500, words)).toBe(600);
  });

  it.each<[TurnVerdict | 'late', number]>([
    ['complete', 300],
    ['incomplete', 2_500],
    ['unsure', 600],
    ['late', 600],
  ])('is that of a model whose answer is %s: %i ms', async (answer, silenceMs) => {
    open({}, new FakeTurnModel(answer));
    expect(await silenceAfter(1_500, null)).toBe(silenceMs);
  });

  it('is not asked of the model where the transcriber finds it by the meaning', async () => {
    const flux = { sendsPartials: true, detectsEndOfTurn: true };
    const model = new FakeTurnModel('incomplete');
    open({ endpointType: 'ai' }, model, flux);
    expect([await silenceAfter(1_500, null), model.questions]).toEqual([600, []]);
    session.end('test');
    open({ endpointType: 'vad' }, model, flux);
    expect([await silenceAfter(1_500, null), model.questions.length]).toEqual([2_500, 1]);
  });
});
