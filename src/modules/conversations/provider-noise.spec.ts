import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  FakeAudioLine,
  FakeSynthesizer,
  FakeTranscriber,
  FakeVoiceDetector,
  playFor,
} from '../speech/speech.fake.js';
import { SpeechSession } from '../speech/speech-session.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { SystemClock } from './engine/clock.js';
import { startConversation } from './engine/conversation.fake.js';
import { ConversationEngine } from './engine/conversation-engine.js';

const access = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };
const GREETING = 'Good morning, this is Ada of the bicycle shop in the main street. How can I help you?';

let line: FakeAudioLine;
let detector: FakeVoiceDetector;
let transcriber: FakeTranscriber;
let session: SpeechSession;
let said: () => string;

beforeEach(async () => {
  jest.useFakeTimers();
  line = new FakeAudioLine();
  detector = new FakeVoiceDetector();
  transcriber = new FakeTranscriber();
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  session = new SpeechSession(
    { line, transcriber, detector },
    {
      relay: fakeRelaySettings({ greeting: GREETING }),
      interrupts: () => false,
      isShortAnswer: () => false,
      transcription: { name: 'any', access },
      voices: [{ name: 'any', synthesizer: new FakeSynthesizer(), provider: access, ...voice }],
    },
  );
  const { parts, settings, recorder } = startConversation({ greeting: GREETING });
  parts.model.willSay('We open at nine.');
  said = () =>
    recorder.lines
      .filter((entry) => entry.startsWith('AI: '))
      .map((entry) => entry.slice(4))
      .join(' ');
  void new ConversationEngine({ ...parts, clock: new SystemClock(), session }, settings).run();
  await playFor(line, 1_000);
});
afterEach(() => {
  session.end('test');
  jest.useRealTimers();
});

/** Music, in which a loudness detector finds no end. */
async function music(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 100) {
    detector.voice(100);
    await playFor(line, 100);
  }
}

/** @returns milliseconds until the assistant is heard, when it takes half a second to transcribe the music so far */
async function silenceInMusic(): Promise<number> {
  const log = transcriber.streams[0]?.log ?? [];
  const sent = line.audio.length;
  let silentMs = 0;
  for (; line.audio.length === sent && silentMs < 20_000; silentMs += 100) {
    await music(100);
    if (log.at(-1) !== 'so far') continue;
    log.push('transcribed');
    setTimeout(() => transcriber.emit({ kind: 'partial', text: '[Music]' }), 500);
  }
  return silentMs;
}

const requests = (): number => transcriber.streams[0]?.log.filter((entry) => entry === 'so far').length ?? 0;

describe('Music over the assistant, with a transcriber that sends no words before the end', () => {
  it('silences it for less than 3 s, by one request', async () => {
    await music(600);
    expect(line.clears).toBe(1);
    expect(await silenceInMusic()).toBeLessThan(3_000);
    await music(30_000);
    expect([said(), line.clears, requests()]).toEqual([GREETING, 1, 1]);
  });

  it('delays an answer for less than 3 s, by one request', async () => {
    await playFor(line, 5_000);
    detector.voice(1_000);
    detector.silence(600);
    setTimeout(() => transcriber.emit({ kind: 'final', text: 'When do you open?' }), 300);
    expect(await silenceInMusic()).toBeLessThan(3_000);
    await music(30_000);
    expect([said(), requests()]).toEqual([`${GREETING} We open at nine.`, 1]);
  });

  it('goes on speaking when the first part that is transcribed has no words', async () => {
    await music(25_000);
    expect(line.clears).toBe(1);
    transcriber.emit({ kind: 'partial', text: '[Music]' });
    await music(1_000);
    await playFor(line, 6_000);
    expect(said()).toBe(GREETING);
  });
});
