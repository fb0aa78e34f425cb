import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CallSessionEvent, RelaySettings } from '../telephony/call-session.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { SpeechError } from './speech-error.js';
import {
  FakeAudioLine,
  FakeSynthesizer,
  FakeTranscriber,
  FakeVoiceDetector,
  playFor,
} from './speech.fake.js';
import { SpeechSession } from './speech-session.js';

const PLAIN = { interruptible: true, preemptible: false };
const PROTECTED = { interruptible: false, preemptible: false };
const YIELDING = { interruptible: false, preemptible: true };
const provider = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };

let line: FakeAudioLine;
let synthesizer: FakeSynthesizer;
let transcriber: FakeTranscriber;
let detector: FakeVoiceDetector;
let events: CallSessionEvent[];

beforeEach(() => {
  Logger.overrideLogger(false);
  jest.useFakeTimers();
  line = new FakeAudioLine();
  synthesizer = new FakeSynthesizer();
  transcriber = new FakeTranscriber();
  detector = new FakeVoiceDetector();
  events = [];
});

afterEach(() => void jest.useRealTimers());

async function open(changes: Partial<RelaySettings> = {}): Promise<SpeechSession> {
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  const session = new SpeechSession(
    { line, transcriber, detector },
    {
      relay: fakeRelaySettings(changes),
      interrupts: (words) => words === 'Stop',
      isShortAnswer: () => false,
      transcription: { name: 'OpenAI', access: provider },
      voices: [{ name: 'OpenAI', synthesizer, provider, ...voice }],
    },
  );
  session.onEvent((event) => events.push(event));
  await run(0);
  return session;
}

const run = (ms: number): Promise<void> => playFor(line, ms);
const spoken = (): string[] => synthesizer.requests.map(({ text }) => text);
/** Words that were played one after the other are one entry. */
const kinds = (): string[] =>
  events
    .map((event) => (event.kind === 'speaking' ? `${event.who} ${event.on ? 'on' : 'off'}` : event.kind))
    .filter((kind, index, all) => kind !== 'played' || all[index - 1] !== kind);
const played = (): string => events.map((event) => (event.kind === 'played' ? event.text : '')).join('');
const failure = { kind: 'failed' as const, error: new SpeechError('lost', true) };
const last = (): CallSessionEvent | undefined => events.at(-1);

describe('SpeechSession: speaking', () => {
  it('speaks no greeting by itself, and reports words as they are played', async () => {
    const session = await open({ greeting: 'Hello, this is Ada. How are you today?' });
    await run(1_000);
    expect(events).toEqual([]);
    session.say('Hello, this is Ada. How are you today?', true, PLAIN);
    await run(3_000);
    expect(kinds()).toEqual(['assistant on', 'played', 'assistant off']);
    expect(played()).toBe('Hello, this is Ada. How are you today?');
  });

  it('counts text without words as heard, without synthesis', async () => {
    const session = await open();
    session.say('The first sentence. “', true, PLAIN);
    await run(2_000);
    expect([spoken(), played()]).toEqual([['The first sentence.'], 'The first sentence. “']);
  });

  it('begins with the first sentence of a speech, before the others arrive', async () => {
    const session = await open();
    for (const token of ['One moment', ', please', '. I', ' am']) session.say(token, false, PLAIN);
    await run(0);
    expect(spoken()).toEqual(['One moment, please.']);
    session.say(' looking.', true, PLAIN);
    await run(3_000);
    expect(spoken()).toEqual(['One moment, please.', 'I am looking.']);
  });

  it('prepares one sentence after the played one, and no more', async () => {
    const session = await open();
    session.say('The first sentence. The second sentence. The third sentence.', true, PLAIN);
    await run(0);
    expect(spoken()).toEqual(['The first sentence.', 'The second sentence.']);
    await run(1_200);
    expect(spoken()).toHaveLength(3);
  });

  it('sends audio shortly before it is played', async () => {
    const session = await open();
    session.say('A sentence of fifty characters, two and a half s.', true, PLAIN);
    await run(0);
    const bytes = line.audio.reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBe(0.5 * 48_000);
  });

  it('retries synthesis after a temporary failure, and else ends the session', async () => {
    const session = await open();
    synthesizer.failures.push(new SpeechError('busy', true, 503));
    session.say('The first sentence.', true, PLAIN);
    await run(2_000);
    expect(kinds()).toEqual(['assistant on', 'played', 'assistant off']);
    synthesizer.failures.push(new SpeechError('no such voice', false, 400));
    session.say('The second sentence.', true, PLAIN);
    await run(100);
    expect([last(), session.failed, line.endedWith]).toEqual([{ kind: 'closed' }, true, null]);
    session.hangUp();
    expect(line.endedWith).toBe('line_lost');
  });
});

describe('SpeechSession: interruptions', () => {
  it("stops when the customer's voice lasts, and reports the heard words", async () => {
    const session = await open({ interruptSensitivity: 0.5 });
    session.say('The first sentence. The second one is longer.', true, PLAIN);
    await run(1_400);
    detector.voice(480);
    expect(kinds()).toEqual(['assistant on', 'played', 'customer on']);
    detector.voice(20);
    expect(events.slice(-2)).toEqual([
      { kind: 'speaking', who: 'assistant', on: false },
      { kind: 'interrupted', heard: 'The first sentence. The' },
    ]);
    expect([line.clears, played()]).toEqual([1, 'The first sentence. The']);
    await run(3_000);
    expect(last()).toMatchObject({ kind: 'interrupted' });
  });

  it.each([PLAIN, YIELDING])('is stopped by a key too, which is reported after it: %j', async (options) => {
    const session = await open();
    session.say('Press one or two now.', true, options);
    await run(300);
    line.receive({ kind: 'digit', digit: '1' });
    expect(kinds().slice(-2)).toEqual(['interrupted', 'digit']);
  });

  it('does not stop speech that must be heard, but what follows it when the voice continues', async () => {
    const session = await open();
    session.say('This call is recorded.', true, PROTECTED);
    session.say('How can I help you?', true, PLAIN);
    await run(500);
    detector.voice(3_000);
    expect(kinds()).toEqual(['assistant on', 'played', 'customer on']);
    await run(900);
    expect(played()).toBe('This call is recorded.How');
    detector.voice(20);
    expect(last()).toMatchObject({ kind: 'interrupted' });
  });

  it('ignores a voice during silence of the assistant', async () => {
    await open();
    detector.voice(2_000);
    expect(kinds()).toEqual(['customer on']);
  });

  it('stops interruptible speech for newer speech', async () => {
    const session = await open();
    session.say('An old sentence that goes on and on.', true, YIELDING);
    await run(500);
    session.say(' ', true, YIELDING);
    expect(kinds()).toEqual(['assistant on', 'played', 'assistant off']);
    session.say('A new sentence.', true, YIELDING);
    await run(2_000);
    expect(last()).toMatchObject({ who: 'assistant', on: false });
    expect(played()).toBe('An oldA new sentence.');
  });

  it('stops the synthesis of interrupted speech', async () => {
    const session = await open();
    synthesizer.block();
    session.say('The first sentence. The second sentence.', true, PLAIN);
    await run(100);
    synthesizer.resume();
    await run(100);
    synthesizer.block();
    detector.voice(600);
    expect(synthesizer.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    synthesizer.resume();
    await run(3_000);
    expect(played()).toBe('');
  });
});

describe('SpeechSession: listening', () => {
  it('reports the voice and the words of the customer', async () => {
    await open({ endpointSensitivity: 1 });
    const [stream] = transcriber.streams;
    line.receive({ kind: 'audio', audio: Buffer.alloc(960) });
    detector.voice(100);
    transcriber.emit({ kind: 'partial', text: 'I would' });
    detector.silence(980);
    expect(stream?.log).toEqual(['started']);
    detector.silence(20);
    transcriber.emit({ kind: 'final', text: 'I would like that' });
    expect(stream).toMatchObject({
      bytes: 960,
      log: ['started', 'ended'],
      options: { language: 'en-US', endOfTurnSilenceMs: 1_000 },
    });
    expect(events).toEqual([
      { kind: 'speaking', who: 'customer', on: true },
      { kind: 'utterance', text: 'I would', final: false },
      { kind: 'speaking', who: 'customer', on: false },
      { kind: 'utterance', text: 'I would like that', final: true },
    ]);
  });

  it('does not treat a click as voice', async () => {
    await open();
    detector.voice(40);
    detector.silence(100);
    detector.voice(40);
    expect(events).toEqual([]);
  });

  it('reopens the transcription after a temporary failure, and ends the session the third time', async () => {
    const session = await open();
    transcriber.emit(failure);
    transcriber.emit({ kind: 'final', text: 'Yes' });
    transcriber.emit(failure);
    transcriber.emit(failure);
    expect(transcriber.streams).toHaveLength(4);
    expect(session.failed).toBe(false);
    transcriber.emit(failure);
    expect(session.failed).toBe(true);
  });

  it('ends the session at once after a permanent failure', async () => {
    const session = await open();
    transcriber.emit({ kind: 'failed', error: new SpeechError('refused', false, 401) });
    expect(session.failed).toBe(true);
  });

  it('listens in another language on request', async () => {
    const session = await open();
    session.switchLanguage('de-DE');
    session.switchLanguage('de-DE');
    expect(transcriber.streams.map(({ options, log }) => [options.language, log])).toEqual([
      ['en-US', ['closed']],
      ['de-DE', []],
    ]);
  });

  it('is interrupted by words that interrupt, however short the voice was', async () => {
    const session = await open();
    session.say('A sentence that goes on and on.', true, PLAIN);
    await run(500);
    for (const text of ['Uh-huh', 'Stop']) transcriber.emit({ kind: 'final', text });
    expect(kinds().slice(-4)).toEqual(['utterance', 'assistant off', 'interrupted', 'utterance']);
  });

  it('ends the session at once when the words of the customer are lost', async () => {
    const session = await open();
    for (const hear of [detector.voice, detector.silence]) hear.call(detector, 1_000);
    transcriber.emit(failure);
    expect(session.failed).toBe(true);
  });

  it('buffers events for a later listener', async () => {
    const session = await open();
    const later: CallSessionEvent[] = [];
    session.onEvent((event) => later.push(event));
    line.receive({ kind: 'closed', playsOn: true });
    expect(later).toEqual([{ kind: 'closed', playsOn: true }]);
  });

  it('does nothing after its end', async () => {
    const session = await open();
    session.say('A sentence that goes on.', true, PLAIN);
    await run(200);
    session.end('goodbye');
    session.hangUp();
    session.say('More of it.', true, PLAIN);
    transcriber.emit({ kind: 'final', text: 'Bye' });
    detector.voice(1_000);
    await run(2_000);
    expect(played()).toBe('A');
    expect([line.endedWith, transcriber.streams[0]?.log, jest.getTimerCount()]).toEqual([
      'goodbye',
      ['closed'],
      0,
    ]);
  });
});
