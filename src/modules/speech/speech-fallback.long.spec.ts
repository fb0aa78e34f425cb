import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../tooling/sandbox/sandbox.js';
import { recogniseTones } from '../../../tooling/sandbox/speech/tones.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { fromPcm } from './audio/audio-format.js';
import { CartesiaSynthesizerService } from './cartesia/cartesia-synthesizer.service.js';
import { DeepgramSynthesizerService } from './deepgram/deepgram-synthesizer.service.js';
import { ElevenLabsSynthesizerService } from './elevenlabs/elevenlabs-synthesizer.service.js';
import { SpeechSocketsService } from './sockets/speech-sockets.service.js';
import { FakeAudioLine, FakeTranscriber, FakeVoiceDetector } from './speech.fake.js';
import type { SpeechVoice } from './speech-queue.js';
import { SpeechSession } from './speech-session.js';
import type { Synthesizer } from './synthesizer.js';

const SENTENCE =
  'We open at nine o clock on Monday, and on every other day we open at eight and close at six.';
const PLAIN = { interruptible: true, preemptible: false };
/** What the customer may wait in silence. */
const LIMIT_MS = 3_000;

const TICK_MS = 20;

/**
 * A line that plays in real time, and knows how long nothing was played from the order to speak to its end, without the
 * time in which this process, with the providers in it, could not run what was due: a busy machine says nothing about
 * the service.
 */
class TimedLine extends FakeAudioLine {
  silenceMs = 0;
  /** When what was sent is played; at first, when the order to speak came. */
  until = Date.now();
  private readonly late: { at: number; ms: number }[] = [];
  private last = Date.now();
  private readonly timer = setInterval(() => {
    const at = Date.now();
    this.late.push({ at, ms: Math.max(0, at - this.last - TICK_MS) });
    this.last = at;
  }, TICK_MS);

  override play(audio: Buffer): void {
    const now = Date.now();
    const gapMs = Math.max(0, now - this.until);
    const lateMs = this.late.reduce((sum, { at, ms }) => sum + (at > this.until ? ms : 0), 0);
    this.silenceMs += Math.max(0, gapMs - lateMs);
    this.until = Math.max(this.until, now) + audio.length / 48;
    this.audio.push(audio);
  }

  override end(reason: string): void {
    clearInterval(this.timer);
    super.end(reason);
  }

  override mark(name: string): void {
    setTimeout(() => this.receive({ kind: 'mark', name }), Math.max(0, this.until - Date.now()));
  }
}

let sandbox: Sandbox;
let sockets: SpeechSocketsService;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, accountSid: 'AC1', authToken: 'secret', apiKey: 'key' });
  sockets = new SpeechSocketsService();
});
afterAll(async () => {
  sockets.onApplicationShutdown();
  await sandbox.close();
});

function voiceOf(name: string, synthesizer: Synthesizer, model: string, voice: string): SpeechVoice {
  const baseUrl = sandbox.url + (name === 'Cartesia' ? '' : '/v1');
  const settings = { speed: 1, stability: 0.7, similarity: 0.5 };
  return { name, synthesizer, provider: { baseUrl, apiKey: 'key', model }, voice, ...settings };
}

/** @param flaws of the first and of the second voice */
async function said(flaws: [string, string]): Promise<{ line: TimedLine; failed: string[]; played: string }> {
  const line = new TimedLine();
  const failed: string[] = [];
  let played = '';
  const session = new SpeechSession(
    { line, transcriber: new FakeTranscriber(), detector: new FakeVoiceDetector() },
    {
      relay: fakeRelaySettings(),
      interrupts: () => false,
      isShortAnswer: () => false,
      transcription: { name: 'none', access: { baseUrl: '', apiKey: '', model: '' } },
      voices: [
        voiceOf(
          'ElevenLabs',
          new ElevenLabsSynthesizerService(sockets),
          `eleven_flash_v2_5+${flaws[0]}`,
          '21m00Tcm4TlvDq8ikWAM',
        ),
        voiceOf(
          'Cartesia',
          new CartesiaSynthesizerService(sockets),
          `sonic-3.5+${flaws[1]}`,
          'f786b574-daa5-4673-aa0c-cbe3e8534c02',
        ),
        voiceOf('Deepgram', new DeepgramSynthesizerService(sockets), 'aura-2', 'aura-2-thalia-en'),
      ],
      onProviderFailed: ({ provider }) => failed.push(provider),
    },
  );
  await new Promise<void>((resolve) => {
    session.onEvent((event) => {
      if (event.kind === 'played') played += event.text;
      if (event.kind === 'speaking' && event.who === 'assistant' && !event.on) resolve();
    });
    line.until = Date.now();
    session.say(SENTENCE, true, PLAIN);
  });
  session.hangUp();
  return { line, failed, played };
}

it.each([
  ['breaks', 'breaks'],
  ['breaks', 'stalls'],
  ['stalls', 'stalls'],
  ['busy', 'stalls'],
] as [string, string][])(
  'completes a sentence in a third voice when the first %s and the second %s',
  async (...flaws) => {
    const { line, failed, played } = await said(flaws);
    const ownMs = Math.round(line.silenceMs);
    process.stdout.write(`${flaws.join(', ')}: ${ownMs} ms of silence until the sentence was said\n`);
    // The blank between two pieces belongs to neither.
    const words = (text: string): string => text.replaceAll(' ', '');
    expect([failed, words(played)]).toEqual([['ElevenLabs', 'Cartesia'], words(SENTENCE)]);
    expect(ownMs).toBeLessThan(LIMIT_MS);
    const heard = recogniseTones(fromPcm(Buffer.concat(line.audio)), 24_000);
    const last = heard.at(-1);
    expect([last?.complete, last && SENTENCE.endsWith(last.text)]).toEqual([true, true]);
    // Together they are the sentence: no word was left out where a voice took over.
    let at = 0;
    for (const { text } of heard) {
      const found = SENTENCE.indexOf(text.slice(0, 12));
      expect(found).toBeLessThanOrEqual(at + 1);
      at = found + text.length;
    }
    expect(at).toBe(SENTENCE.length);
  },
);
