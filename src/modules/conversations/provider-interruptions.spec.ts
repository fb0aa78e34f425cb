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
import { isInterruption } from './engine/interruption-policy.js';

const access = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };
const GREETING = 'Good morning, this is Ada of the bicycle shop in the main street. How can I help you?';
const MIN_WORDS = 3;

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
      relay: fakeRelaySettings({ greeting: GREETING, minInterruptWords: MIN_WORDS }),
      interrupts: (words, language) => isInterruption(words, language, MIN_WORDS),
      isShortAnswer: () => false,
      transcription: { name: 'any', access },
      voices: [{ name: 'any', synthesizer: new FakeSynthesizer(), provider: access, ...voice }],
    },
  );
  const { parts, settings, recorder } = startConversation({
    greeting: GREETING,
    minInterruptWords: MIN_WORDS,
  });
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

async function speak(ms: number): Promise<void> {
  detector.voice(ms);
  await playFor(line, 20);
}

describe('with min_interrupt_words of 3, an assistant with speech providers', () => {
  it.each([
    ['stops at a voice that is long enough for three words', 1_800, 1],
    ['speaks on over a shorter voice', 1_700, 0],
  ])('%s', async (_, ms, stops) => {
    await speak(ms);
    expect(line.clears).toBe(stops);
  });

  it.each([
    ['stops at three words while they are spoken', 'No, wait, please', 1],
    ['speaks on over two words', 'No, wait', 0],
    ['speaks on over the words of a listener', 'Yes, okay, mhm', 0],
  ])('%s', async (_, text, stops) => {
    await speak(600);
    transcriber.emit({ kind: 'partial', text });
    expect(line.clears).toBe(stops);
  });

  it('continues at the word where a long voice has had fewer words', async () => {
    await speak(2_000);
    expect(line.clears).toBe(1);
    detector.silence(600);
    transcriber.emit({ kind: 'final', text: 'Well, well.' });
    await playFor(line, 6_000);
    expect(said()).toBe(GREETING);
  });

  it('answers three words', async () => {
    await speak(2_000);
    detector.silence(600);
    transcriber.emit({ kind: 'final', text: 'When do you open?' });
    await playFor(line, 6_000);
    expect(said()).toMatch(/^Good morning.* We open at nine\.$/);
    expect(said()).not.toContain('help you');
  });
});
