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
/** Maximum wait for the customer's words after the end. */
const LAST_WORDS_MS = 3_000;

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
    let isClosed = false;
    return {
      write: () => undefined,
      speechStarted: () => undefined,
      speechEnded: () => {
        const text = this.words.shift() ?? '';
        setTimeout(() => isClosed || onEvent({ kind: 'final', text }), this.lateMs);
      },
      close: () => void (isClosed = true),
    };
  }
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/**
 * A call whose customer speaks and pauses in turn.
 *
 * @param ms of speech, pause, speech …
 * @param hangsUp at once, after the last of these
 */
async function call(ms: readonly number[], words: string[], lateMs: number, hangsUp = false) {
  const line = new FakeAudioLine();
  const detector = new FakeVoiceDetector();
  const synthesizer = new FakeSynthesizer();
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  const session = new SpeechSession(
    { line, transcriber: new LateTranscriber(lateMs, [...words]), detector },
    {
      relay: fakeRelaySettings({ greeting: null }),
      interrupts: () => false,
      isShortAnswer: () => false,
      transcription: { name: 'late', access },
      voices: [{ name: 'any', synthesizer, provider: access, ...voice }],
    },
  );
  const clock = new SystemClock();
  const model = new FakeLanguageModel(clock).willSay({ waitMs: 300 }, ANSWER).willSay('Another answer.');
  const { parts, settings, recorder } = startConversation();
  const run = new ConversationEngine({ ...parts, clock, model, session }, settings).run();
  let hasEnded = false;
  void run.then(() => (hasEnded = true));
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
  if (hangsUp) line.receive({ kind: 'closed' });
  else await pass(6_000, false);
  session.end('test');
  await jest.advanceTimersByTimeAsync(hangsUp ? LAST_WORDS_MS : 0);
  return {
    hasEnded,
    stored: recorder.lines,
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

  it('answers three parts at once; a second pause like the first is within one utterance', async () => {
    const words = [FIRST, `${SECOND} At three or four?`];
    const { talkedOverMs, said, asked } = await call([1_200, 900, 1_600, 900, 800], words, 500);
    expect([talkedOverMs, said, asked]).toEqual([0, [ANSWER], [words]]);
  });

  it.each([
    ['speak', [800]],
    ['have spoken', [800, 300]],
    ['have just been silent for a turn', [800, 700]],
  ])('stores the words of customers who hang up while they %s', async (_, ms) => {
    const { stored, said, hasEnded } = await call(ms, [FIRST], 1_500, true);
    expect([stored, said, hasEnded]).toEqual([[`Customer: ${FIRST}`], [], true]);
  });

  it('stores both parts of customers who hang up while words of the first are outstanding', async () => {
    const { stored, hasEnded } = await call([900, 700, 900], [FIRST, SECOND], 1_500, true);
    expect([stored, hasEnded]).toEqual([[`Customer: ${FIRST}`, `Customer: ${SECOND}`], true]);
  });

  it('ends 3 s after the customer where their last words do not come', async () => {
    const { stored, hasEnded } = await call([800], [FIRST], 60_000, true);
    expect([stored, hasEnded]).toEqual([[], true]);
  });

  it('speaks for at most 0.2 s over customers who go on after a pause, and not in a second one', async () => {
    const words = [FIRST, `${SECOND} At three or four?`];
    const { talkedOverMs, said, asked } = await call([1_200, 1_200, 1_600, 1_200, 900], words, 200);
    expect(talkedOverMs).toBeGreaterThan(0);
    expect(talkedOverMs).toBeLessThanOrEqual(200);
    expect([said, asked.at(-1)]).toEqual([[ANSWER, 'Another answer.'], words]);
  });

  it('answers soon after a cough that follows the words', async () => {
    const { said, asked, answeredAfterMs } = await call([1_200, 900, 200], [FIRST, ''], 500);
    expect([said, asked]).toEqual([[ANSWER], [[FIRST]]]);
    // End of the turn, transcript, model.
    expect(answeredAfterMs).toBeLessThanOrEqual(600 + 500 + 300 + 2 * FRAME_MS);
  });
});
