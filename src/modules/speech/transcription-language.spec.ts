import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { FakeAudioLine, FakeSynthesizer, FakeTranscriber, FakeVoiceDetector } from './speech.fake.js';
import { SpeechSession } from './speech-session.js';

const access = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };

let transcriber: FakeTranscriber;
let detector: FakeVoiceDetector;
let session: SpeechSession;
let heard: string[];

/** @param parts of the transcriber */
function open(parts: { sendsPartials?: boolean; detectsEndOfTurn?: boolean } = {}): void {
  transcriber = Object.assign(new FakeTranscriber(), parts);
  detector = new FakeVoiceDetector();
  const voice = { voice: 'alloy', speed: 1, stability: 0.7, similarity: 0.5 };
  session = new SpeechSession(
    { line: new FakeAudioLine(), transcriber, detector },
    {
      relay: fakeRelaySettings({ endpointType: parts.detectsEndOfTurn ? 'ai' : 'vad' }),
      interrupts: () => false,
      isShortAnswer: () => false,
      transcription: { name: 'listens', access },
      voices: [{ name: 'speaks', synthesizer: new FakeSynthesizer(), provider: access, ...voice }],
    },
  );
  heard = [];
  session.onEvent((event) => {
    if (event.kind === 'utterance' && event.final) heard.push(event.text);
  });
}

const languages = (): string[] => transcriber.streams.map(({ options }) => options.language);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  session.end('goodbye');
  jest.useRealTimers();
});

describe('the language of a call that is switched', () => {
  it('is that of the transcription at once while the customer is silent', () => {
    open();
    session.switchLanguage('de-DE');
    expect(languages()).toEqual(['en-US', 'de-DE']);
  });

  it('loses no word of a customer who speaks', () => {
    open();
    detector.voice(1_000);
    session.switchLanguage('de-DE');
    detector.silence(700);
    expect(transcriber.streams.map(({ log }) => log)).toEqual([['started', 'ended']]);
    transcriber.emit({ kind: 'final', text: 'In German, please, if you can' });
    expect(heard).toEqual(['In German, please, if you can']);
    expect(languages()).toEqual(['en-US', 'de-DE']);
  });

  it('waits for the words of each utterance, also while the customer speaks again', () => {
    open();
    detector.voice(1_000);
    detector.silence(700);
    session.switchLanguage('de-DE');
    detector.voice(1_000);
    transcriber.emit({ kind: 'final', text: 'In German, please' });
    expect(languages()).toEqual(['en-US']);
    detector.silence(1_000);
    transcriber.emit({ kind: 'final', text: 'if you can' });
    expect([heard, languages()]).toEqual([
      ['In German, please', 'if you can'],
      ['en-US', 'de-DE'],
    ]);
  });

  it('waits for the end of a voice whose words are known before it', () => {
    open({ detectsEndOfTurn: true });
    detector.voice(1_000);
    transcriber.emit({ kind: 'final', text: 'In German, please' });
    session.switchLanguage('de-DE');
    expect(languages()).toEqual(['en-US']);
    detector.silence(700);
    expect(languages()).toEqual(['en-US', 'de-DE']);
  });

  it('does not wait for the end of a noise', () => {
    open({ sendsPartials: true });
    detector.voice(1_000);
    session.switchLanguage('de-DE');
    detector.voice(2_000);
    expect(languages()).toEqual(['en-US', 'de-DE']);
  });

  it('opens no transcription after the call', () => {
    open();
    detector.voice(1_000);
    session.switchLanguage('de-DE');
    session.end('goodbye');
    transcriber.emit({ kind: 'final', text: 'In German, please' });
    expect([heard, languages()]).toEqual([['In German, please'], ['en-US']]);
  });
});
