import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeLanguageModel } from '../llm/language-model.fake.js';
import { FakeAudioLine, FakeSynthesizer, FakeVoiceDetector } from '../speech/speech.fake.js';
import { SpeechSession } from '../speech/speech-session.js';
import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from '../speech/transcriber.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { SystemClock } from './engine/clock.js';
import { ConversationEngine } from './engine/conversation-engine.js';
import { startConversation } from './engine/conversation.fake.js';

const FRAME_MS = 20;
const access = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };
const FIRST = 'Is there a place free on';
const SECOND = 'Friday afternoon or Saturday?';
const ANSWER = 'On Friday there is.';

/** Knows the words of each utterance this long after its end. */
class LateTranscriber extends Transcriber {
  constructor(
    private readonly lateMs: number,
    private readonly words: string[],
  ) {
    super();
  }

  override open(
    _options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    return {
      write: () => undefined,
      speechStarted: () => undefined,
      speechEnded: () => {
        const text = this.words.shift() ?? '';
        setTimeout(() => onEvent({ kind: 'final', text }), this.lateMs);
      },
      close: () => undefined,
    };
  }
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A call whose customer speaks and pauses in turn. @param ms of speech, pause, speech … */
async function call(ms: readonly number[], words: string[], lateMs: number) {
  const line = new FakeAudioLine();
  const detector = new FakeVoiceDetector();
  const synthesizer = new FakeSynthesizer();
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  const session = new SpeechSession(
    { line, transcriber: new LateTranscriber(lateMs, [...words]), detector },
    {
      relay: fakeRelaySettings({ greeting: null }),
      interrupts: () => false,
      transcription: { name: 'late', access },
      voices: [{ name: 'any', synthesizer, provider: access, ...voice }],
    },
  );
  const clock = new SystemClock();
  const model = new FakeLanguageModel(clock).willSay({ waitMs: 300 }, ANSWER).willSay('Another answer.');
  const { parts, settings } = startConversation();
  void new ConversationEngine({ ...parts, clock, model, session }, settings).run();
  let [talkedOverMs, endedAt, answeredAt] = [0, 0, 0];
  const pass = async (total: number, isVoice: boolean) => {
    for (let at = 0; at < total; at += FRAME_MS) {
      const isPlaying = line.sent.some((item) => typeof item === 'number');
      if (isPlaying && isVoice) talkedOverMs += FRAME_MS;
      if (isPlaying && answeredAt === 0) answeredAt = Date.now();
      if (isVoice) detector.voice(FRAME_MS);
      else detector.silence(FRAME_MS);
      await jest.advanceTimersByTimeAsync(FRAME_MS);
      line.plays(FRAME_MS);
    }
  };
  await jest.advanceTimersByTimeAsync(0);
  for (const [index, part] of ms.entries()) await pass(part, index % 2 === 0);
  endedAt = Date.now();
  await pass(6_000, false);
  session.end('test');
  return {
    talkedOverMs,
    said: synthesizer.requests.map(({ text }) => text),
    asked: model.requests.map(({ messages }) =>
      messages.flatMap((message) => (message.role === 'customer' ? [message.text] : [])),
    ),
    answeredAfterMs: answeredAt - endedAt,
  };
}

describe('a conversation with speech providers', () => {
  it.each([
    [700, 500],
    [900, 500],
    [900, 1_500],
    [2_000, 1_500],
  ])('answers both parts at once after a pause of %i ms, with words %i ms late', async (pause, lateMs) => {
    const { talkedOverMs, said, asked } = await call([1_200, pause, 1_600], [FIRST, SECOND], lateMs);
    expect([talkedOverMs, said, asked]).toEqual([0, [ANSWER], [[FIRST, SECOND]]]);
  });

  it('answers three parts at once', async () => {
    const words = [FIRST, SECOND, 'At three or four?'];
    const { talkedOverMs, said, asked } = await call([1_200, 900, 1_600, 900, 800], words, 500);
    expect([talkedOverMs, said, asked]).toEqual([0, [ANSWER], [words]]);
  });

  it('answers soon after a cough that follows the words', async () => {
    const { said, asked, answeredAfterMs } = await call([1_200, 900, 200], [FIRST, ''], 500);
    expect([said, asked]).toEqual([[ANSWER], [[FIRST]]]);
    // End of the turn, transcript, model.
    expect(answeredAfterMs).toBeLessThanOrEqual(600 + 500 + 300 + 2 * FRAME_MS);
  });
});
