import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { SpeechError } from './speech-error.js';
import { FakeAudioLine, FakeSynthesizer, FakeTranscriber, FakeVoiceDetector } from './speech.fake.js';
import { SpeechSession } from './speech-session.js';

const access = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };
const failure = { kind: 'failed' as const, error: new SpeechError('lost', true) };

let transcriber: FakeTranscriber;
let detector: FakeVoiceDetector;
let session: SpeechSession;

/** The customer pauses and goes on. @param sendsPartials as of `Transcriber` */
function hear(sendsPartials: boolean): void {
  transcriber = Object.assign(new FakeTranscriber(), { sendsPartials });
  detector = new FakeVoiceDetector();
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  session = new SpeechSession(
    { line: new FakeAudioLine(), transcriber, detector },
    {
      relay: fakeRelaySettings(),
      interrupts: () => false,
      isShortAnswer: () => false,
      transcription: { name: 'listens', access },
      voices: [{ name: 'speaks', synthesizer: new FakeSynthesizer(), provider: access, ...voice }],
    },
  );
  detector.voice(1_000);
  detector.silence(700);
  detector.voice(300);
}

beforeEach(() => {
  Logger.overrideLogger(false);
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());

describe('a transcription that fails while the customer speaks', () => {
  it('ends the session when the transcript of the speech before is outstanding', () => {
    hear(true);
    transcriber.emit(failure);
    expect(session.failed).toBe(true);
  });

  it('is replaced when that transcript came meanwhile, and words are known while they are spoken', () => {
    hear(true);
    transcriber.emit({ kind: 'final', text: 'Is there a place free on' });
    transcriber.emit(failure);
    expect([session.failed, transcriber.streams.length]).toEqual([false, 2]);
  });

  it('ends the session when it is a part of the speech that was to be transcribed', () => {
    hear(false);
    transcriber.emit({ kind: 'final', text: 'Is there a place free on' });
    transcriber.emit({ kind: 'partial', text: 'Friday? I would like to' });
    transcriber.emit(failure);
    expect(session.failed).toBe(true);
  });

  it('ends the session after the speech, whose transcript is not that of the speech before', () => {
    hear(true);
    transcriber.emit({ kind: 'final', text: 'Is there a place free on' });
    detector.silence(700);
    transcriber.emit(failure);
    expect(session.failed).toBe(true);
  });
});
