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

/** A call with speech providers, whose assistant has greeted for a second; `ANSWER` is its only response. */
export class ProviderCall {
  static readonly GREETING =
    'Good morning, this is Ada of the bicycle shop in the main street. How can I help you?';
  static readonly ANSWER = 'We open at nine.';
  readonly line = new FakeAudioLine();
  readonly detector = new FakeVoiceDetector();
  readonly transcriber = new FakeTranscriber();
  private readonly session: SpeechSession;
  private readonly recorder: ReturnType<typeof startConversation>['recorder'];

  private constructor(minInterruptWords: number) {
    const greeting = ProviderCall.GREETING;
    const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
    const { line, detector, transcriber } = this;
    this.session = new SpeechSession(
      { line, transcriber, detector },
      {
        relay: fakeRelaySettings({ greeting, minInterruptWords }),
        interrupts: (words, language) => isInterruption(words, language, minInterruptWords),
        isShortAnswer: () => false,
        transcription: { name: 'any', access },
        voices: [{ name: 'any', synthesizer: new FakeSynthesizer(), provider: access, ...voice }],
      },
    );
    const { parts, settings, recorder } = startConversation({ greeting, minInterruptWords });
    parts.model.willSay(ProviderCall.ANSWER);
    this.recorder = recorder;
    void new ConversationEngine(
      { ...parts, clock: new SystemClock(), session: this.session },
      settings,
    ).run();
  }

  /** Needs the timers of `jest.useFakeTimers`. */
  static async start(minInterruptWords = 0): Promise<ProviderCall> {
    const call = new ProviderCall(minInterruptWords);
    await playFor(call.line, 1_000);
    return call;
  }

  /** Words of the assistant in the record. */
  get spoken(): string {
    const own = this.recorder.lines.filter((entry) => entry.startsWith('AI: '));
    return own.map((entry) => entry.slice('AI: '.length)).join(' ');
  }

  end(): void {
    this.session.end('test');
  }
}
