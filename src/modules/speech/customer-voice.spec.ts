import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CallSessionEvent } from '../telephony/call-session.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import {
  FakeAudioLine,
  FakeSynthesizer,
  FakeTranscriber,
  FakeVoiceDetector,
  playFor,
} from './speech.fake.js';
import { SpeechSession } from './speech-session.js';

const PLAIN = { interruptible: true, preemptible: false };
const SENTENCE = 'A sentence that goes on and on, and on.';
const provider = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };

let line: FakeAudioLine;
let transcriber: FakeTranscriber;
let detector: FakeVoiceDetector;
let session: SpeechSession;
let events: CallSessionEvent[];

beforeEach(() => {
  jest.useFakeTimers();
  line = new FakeAudioLine();
  detector = new FakeVoiceDetector();
  events = [];
});
afterEach(() => {
  session.end('goodbye');
  jest.useRealTimers();
});

async function open(sendsPartials: boolean): Promise<void> {
  transcriber = Object.assign(new FakeTranscriber(), { sendsPartials });
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  session = new SpeechSession(
    { line, transcriber, detector },
    {
      relay: fakeRelaySettings(),
      interrupts: (words) => words === 'Stop',
      isShortAnswer: () => false,
      transcription: { name: 'OpenAI', access: provider },
      voices: [{ name: 'OpenAI', synthesizer: new FakeSynthesizer(), provider, ...voice }],
    },
  );
  session.onEvent((event) => events.push(event));
  await speak();
}

/** The assistant speaks, and is heard. */
async function speak(): Promise<void> {
  session.say(SENTENCE, true, PLAIN);
  await playFor(line, 500);
}

const interruptions = (): number => events.filter(({ kind }) => kind === 'interrupted').length;
const NOISE = [
  { kind: 'speaking', who: 'customer', on: false },
  { kind: 'utterance', text: '', final: true },
];

describe('CustomerVoice', () => {
  it.each([
    ['goes on', () => undefined],
    ['pauses for less than the end of a turn', () => detector.silence(580)],
  ])('interrupts once when the voice %s', async (_, between) => {
    await open(false);
    detector.voice(1_000);
    between();
    await speak();
    detector.voice(5_000);
    expect(interruptions()).toBe(1);
  });

  it('interrupts again when the voice begins again', async () => {
    await open(false);
    detector.voice(1_000);
    detector.silence(600);
    await speak();
    detector.voice(1_000);
    expect(interruptions()).toBe(2);
  });

  it('reports a voice without words as noise after 2 s, once, and is not interrupted by it', async () => {
    await open(true);
    detector.voice(1_980);
    expect(events.at(-1)).toMatchObject({ kind: 'interrupted' });
    detector.voice(20);
    expect(events.slice(-2)).toEqual(NOISE);
    await speak();
    const { length } = events;
    detector.voice(10_000);
    expect(events).toHaveLength(length);
  });

  it.each([
    ['its transcript is empty', false, () => transcriber.emit({ kind: 'final', text: '' })],
    ['it counts as noise', true, () => detector.voice(1_500)],
  ])('needs words to interrupt for a minute after a voice without any: %s', async (_, sendsPartials, end) => {
    await open(sendsPartials);
    const voice = async (): Promise<number> => {
      await speak();
      detector.voice(1_000);
      detector.silence(600);
      return interruptions();
    };
    detector.voice(1_000);
    end();
    detector.silence(50_000);
    expect(await voice()).toBe(1);
    transcriber.emit({ kind: 'partial', text: 'Stop' });
    expect(interruptions()).toBe(2);
    detector.silence(8_000);
    expect(await voice()).toBe(3);
  });

  it('needs words to interrupt after a voice without any that another one has followed', async () => {
    await open(false);
    for (let voice = 0; voice < 2; voice += 1) {
      detector.voice(1_000);
      detector.silence(600);
    }
    transcriber.emit({ kind: 'final', text: '' });
    await speak();
    detector.voice(1_000);
    expect(interruptions()).toBe(1);
  });

  it('needs words to interrupt after a voice without any while the assistant was silent, and asks for them', async () => {
    await open(false);
    await playFor(line, 60_000);
    detector.voice(500);
    detector.silence(600);
    transcriber.emit({ kind: 'final', text: '' });
    await speak();
    detector.voice(1_180);
    expect(transcriber.streams[0]?.log).not.toContain('so far');
    detector.voice(20);
    expect(transcriber.streams[0]?.log).toContain('so far');
    expect(interruptions()).toBe(0);
    transcriber.emit({ kind: 'partial', text: 'Stop' });
    expect(interruptions()).toBe(1);
  });

  it('interrupts by voice after one with words', async () => {
    await open(false);
    detector.voice(1_000);
    detector.silence(600);
    transcriber.emit({ kind: 'final', text: 'I would like' });
    transcriber.emit({ kind: 'final', text: '' });
    await speak();
    detector.voice(1_000);
    expect(interruptions()).toBe(2);
  });

  it('hears words in what counted as noise', async () => {
    await open(true);
    detector.voice(3_000);
    await speak();
    transcriber.emit({ kind: 'partial', text: 'Stop' });
    expect(interruptions()).toBe(2);
    expect(events.at(-1)).toEqual({ kind: 'utterance', text: 'Stop', final: false });
  });

  it.each([
    ['words came within 2 s', true, 'I would'],
    ['a sound came within 2 s', true, '[cough]'],
    ['the transcriber knows no words before the end', false, ''],
  ])('reports a long voice as noise only without words: %s', async (_, sendsPartials, text) => {
    await open(sendsPartials);
    detector.voice(1_500);
    if (text !== '') transcriber.emit({ kind: 'partial', text });
    detector.voice(60_000);
    expect(events.some((event) => event.kind === 'utterance' && event.final)).toBe(text === '[cough]');
  });

  it('reports a voice as noise when a long part of it is transcribed as a sound, and not an early one', async () => {
    await open(false);
    detector.voice(1_000);
    transcriber.emit({ kind: 'partial', text: '[Music]' });
    detector.voice(10_000);
    expect(events.at(-1)).toMatchObject({ kind: 'interrupted' });
    transcriber.emit({ kind: 'partial', text: '[Music]' });
    expect(events.slice(-2)).toEqual(NOISE);
  });

  it('reports a voice as noise after 2 s when its first part is transcribed as a sound', async () => {
    await open(false);
    detector.voice(1_200);
    transcriber.emit({ kind: 'partial', text: '' });
    detector.voice(780);
    expect(events.at(-1)).toMatchObject({ kind: 'interrupted' });
    detector.voice(20);
    expect(events.slice(-2)).toEqual(NOISE);
  });

  it('reports a voice as noise at its end when most of it is transcribed as a sound, and the words of its end', async () => {
    await open(false);
    detector.voice(1_200);
    transcriber.emit({ kind: 'partial', text: '' });
    detector.voice(300);
    detector.silence(580);
    expect(events.at(-1)).toMatchObject({ kind: 'interrupted' });
    detector.silence(20);
    expect(events.slice(-3, -1)).toEqual(NOISE);
    transcriber.emit({ kind: 'final', text: 'Stop' });
    expect(events.at(-1)).toEqual({ kind: 'utterance', text: 'Stop', final: true });
  });

  it('asks for the words of a voice that has interrupted, once, where they are not known before the end', async () => {
    await open(false);
    const asked = (): number => transcriber.streams[0]?.log.filter((entry) => entry === 'so far').length ?? 0;
    detector.voice(1_180);
    expect(asked()).toBe(0);
    detector.voice(60_000);
    expect(asked()).toBe(1);
    detector.silence(600);
    // The assistant is silent.
    detector.voice(60_000);
    expect(asked()).toBe(1);
    await speak();
    detector.voice(20);
    expect(asked()).toBe(2);
  });

  it('reports interim words once, while they stay the same', async () => {
    await open(true);
    detector.voice(1_000);
    for (const text of ['I would', 'I would', '', 'I would like'])
      transcriber.emit({ kind: 'partial', text });
    const words = events.flatMap((event) => (event.kind === 'utterance' ? [event.text] : []));
    expect(words).toEqual(['I would', 'I would like']);
  });

  it.each([
    ['noise', true, [], 'ended as noise'],
    ['speech', true, ['Stop'], 'ended'],
    ['speech, whose end may have words', false, [''], 'ended'],
  ])('ends for the transcriber as %s', async (_, sendsPartials, partials, end) => {
    await open(sendsPartials);
    detector.voice(3_000);
    for (const text of partials) transcriber.emit({ kind: 'partial', text });
    detector.voice(1_000);
    detector.silence(600);
    expect(transcriber.streams[0]?.log.at(-1)).toBe(end);
  });
});
