import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
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

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('goes on speaking when the part of a voice that is transcribed first has no words', async () => {
  const line = new FakeAudioLine();
  const detector = new FakeVoiceDetector();
  const transcriber = new FakeTranscriber();
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  const session = new SpeechSession(
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
  void new ConversationEngine({ ...parts, clock: new SystemClock(), session }, settings).run();
  await playFor(line, 1_000);
  detector.voice(1_000);
  expect(line.clears).toBe(1);
  // Music, in which a loudness detector finds no end.
  for (let seconds = 1; seconds < 25; seconds += 1) {
    await playFor(line, 1_000);
    detector.voice(1_000);
  }
  transcriber.emit({ kind: 'partial', text: '[Music]' });
  detector.voice(1_000);
  await playFor(line, 6_000);
  const said = recorder.lines.filter((entry) => entry.startsWith('AI: ')).map((entry) => entry.slice(4));
  expect(said.join(' ')).toBe(GREETING);
  session.end('test');
});
