import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CallSessionEvent } from '../telephony/call-session.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { SpeechError } from './speech-error.js';
import {
  FakeAudioLine,
  FakeSynthesizer,
  FakeTranscriber,
  FakeVoiceDetector,
  playFor,
} from './speech.fake.js';
import type { SpeechVoice } from './speech-queue.js';
import { SpeechSession } from './speech-session.js';

const PLAIN = { interruptible: true, preemptible: false };
const provider = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };
const CLAUSE = 'On Friday at nine there is a place,';

let line: FakeAudioLine;
let voice: FakeSynthesizer;
let next: FakeSynthesizer;
let events: CallSessionEvent[];
let session: SpeechSession;

const voiceOf = (name: string, synthesizer: FakeSynthesizer): SpeechVoice => ({
  name,
  synthesizer,
  provider,
  voice: name,
  speed: 1,
  stability: 0.7,
  similarity: 0.5,
});

beforeEach(async () => {
  Logger.overrideLogger(false);
  jest.useFakeTimers();
  line = new FakeAudioLine();
  voice = new FakeSynthesizer();
  voice.takesRest = true;
  next = new FakeSynthesizer();
  events = [];
  session = new SpeechSession(
    { line, transcriber: new FakeTranscriber(), detector: new FakeVoiceDetector() },
    {
      relay: fakeRelaySettings(),
      interrupts: () => false,
      isShortAnswer: () => false,
      transcription: { name: 'listens', access: provider },
      voices: [voiceOf('first', voice), voiceOf('next', next)],
    },
  );
  session.onEvent((event) => events.push(event));
  await run(0);
});
afterEach(() => void jest.useRealTimers());

const run = (ms: number): Promise<void> => playFor(line, ms);
const texts = (synthesizer = voice): string[] => synthesizer.requests.map(({ text }) => text);
const played = (): string => events.map((event) => (event.kind === 'played' ? event.text : '')).join('');

describe('SpeechSession: a voice that takes the rest of a text', () => {
  it('begins with the first clause, and speaks the rest of the sentence in the same request', async () => {
    session.say(`${CLAUSE} `, false, PLAIN);
    await run(300);
    expect([texts(), voice.rests]).toEqual([[CLAUSE], []]);
    session.say('and at ten. ', false, PLAIN);
    session.say('Which one do you want?', true, PLAIN);
    await run(100);
    expect([texts(), voice.rests]).toEqual([[CLAUSE, 'Which one do you want?'], ['and at ten.']]);
    await run(5_000);
    expect(played()).toBe(`${CLAUSE} and at ten. Which one do you want?`);
  });

  it('is asked for the whole sentence when all of it is there', async () => {
    session.say(`${CLAUSE} and at ten.`, true, PLAIN);
    await run(4_000);
    expect([texts(), voice.rests, played()]).toEqual([
      [`${CLAUSE} and at ten.`],
      [],
      `${CLAUSE} and at ten.`,
    ]);
  });

  it('ends the sentence after 0.8 s without its rest, which is another request then', async () => {
    session.say(`${CLAUSE} `, false, PLAIN);
    await run(900);
    expect(voice.rests).toEqual(['']);
    session.say('and at ten.', true, PLAIN);
    await run(4_000);
    expect([texts(), played()]).toEqual([[CLAUSE, 'and at ten.'], `${CLAUSE} and at ten.`]);
  });

  it('does not continue a speech with the text of the next one', async () => {
    session.say(`${CLAUSE} `, true, PLAIN);
    session.say('Good morning.', true, PLAIN);
    await run(4_000);
    expect(texts()).toEqual([CLAUSE, 'Good morning.']);
  });

  it('stops at an interruption before the rest came, and stores what was heard', async () => {
    session.say(`${CLAUSE} `, false, PLAIN);
    await run(700);
    line.receive({ kind: 'digit', digit: '1' });
    expect(events).toContainEqual({ kind: 'interrupted', heard: 'On Friday' });
    expect(voice.signals[0]?.aborted).toBe(true);
    session.say('Good morning.', true, PLAIN);
    await run(3_000);
    expect([texts(), voice.rests]).toEqual([[CLAUSE, 'Good morning.'], []]);
  });

  it('that fails in the clause is replaced by one that takes no rest, and no word is lost', async () => {
    voice.cuts.push(new SpeechError('refused', false));
    session.say(`${CLAUSE} `, false, PLAIN);
    await run(100);
    session.say('and at ten.', true, PLAIN);
    await run(5_000);
    expect(next.requests.every(({ rest }) => rest === undefined)).toBe(true);
    expect(texts(next).at(-1)).toBe('and at ten.');
    expect(played()).toBe(`${CLAUSE} and at ten.`);
  });
});
