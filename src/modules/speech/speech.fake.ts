import { jest } from '@jest/globals';
import type { AudioFormat, AudioLine, AudioLineEvent } from '#src/modules/media/audio-line.js';
import { toPcm } from './audio/audio-format.js';
import type { SpeechError } from './speech-error.js';
import { Synthesizer, SYNTHESIS_RATE, type SynthesisRequest } from './synthesizer.js';
import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from './transcriber.js';
import { type OnVoiceFrame, type VoiceActivity, VoiceActivityDetector } from './voice-activity.js';

/** An audio line with playback under the control of the test. */
export class FakeAudioLine implements AudioLine {
  readonly format: AudioFormat = 'pcm16-24000';
  readonly openedAt = Date.now();
  /** In their order: bytes of audio, and names of marks. */
  readonly sent: (number | string)[] = [];
  readonly audio: Buffer[] = [];
  clears = 0;
  digits = '';
  endedWith: string | null = null;
  private listener: (event: AudioLineEvent) => void = () => undefined;

  play(audio: Buffer): void {
    this.sent.push(audio.length);
    this.audio.push(audio);
  }

  mark(name: string): void {
    this.sent.push(name);
  }

  clear(): void {
    this.clears += 1;
    this.returnMarks();
  }

  sendDigits(digits: string): void {
    this.digits += digits;
  }

  end(reason: string): void {
    this.endedWith ??= reason;
  }

  onEvent(listener: (event: AudioLineEvent) => void): void {
    this.listener = listener;
  }

  receive(event: AudioLineEvent): void {
    this.listener(event);
  }

  /** Plays this much of the sent audio. */
  plays(ms: number): void {
    let bytes = ms * (SYNTHESIS_RATE / 1000) * 2;
    for (let [first] = this.sent; first !== undefined; [first] = this.sent) {
      if (typeof first === 'number' && first > bytes) {
        this.sent[0] = first - bytes;
        return;
      }
      this.sent.shift();
      if (typeof first === 'number') bytes -= first;
      else this.receive({ kind: 'mark', name: first });
    }
  }

  /** Plays all sent audio. */
  returnMarks(): void {
    for (const name of this.sent.splice(0))
      if (typeof name === 'string') this.receive({ kind: 'mark', name });
  }
}

/** Advances the fake clock while the line plays the sent audio. */
export async function playFor(line: FakeAudioLine, ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(0);
  for (let passed = 0; passed < ms; passed += 100) {
    await jest.advanceTimersByTimeAsync(100);
    line.plays(100);
    await jest.advanceTimersByTimeAsync(0);
  }
}

/** Speaks 50 ms for each character, at once, unless it is blocked or fails. */
export class FakeSynthesizer extends Synthesizer {
  override takesRest = false;
  /** What followed the texts. */
  readonly rests: string[] = [];
  readonly requests: SynthesisRequest[] = [];
  readonly signals: AbortSignal[] = [];
  readonly failures: SpeechError[] = [];
  /** Faults in the middle of the next texts: an error, or no further audio. `noise`: a few samples in place of all. */
  readonly cuts: (SpeechError | 'silence' | 'noise')[] = [];
  private release: () => void = () => undefined;
  private blocked: Promise<void> | null = null;

  block(): void {
    this.blocked = new Promise((resolve) => (this.release = resolve));
  }

  resume(): void {
    this.blocked = null;
    this.release();
  }

  override async *speak(request: SynthesisRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
    this.requests.push(request);
    this.signals.push(signal);
    await Promise.race([this.blocked, aborted(signal)]);
    if (signal.aborted) return;
    const failure = this.failures.shift();
    if (failure) throw failure;
    const samples = samplesOf(request.text);
    const cut = this.cuts.shift();
    if (cut === 'noise') return yield toPcm(samples.subarray(0, 12));
    yield toPcm(cut ? samples.subarray(0, samples.length >> 1) : samples);
    if (cut === 'silence') await aborted(signal);
    else if (cut) throw cut;
    if (!request.rest) return;
    const rest = await Promise.race([request.rest, aborted(signal)]);
    if (rest === undefined || signal.aborted) return;
    this.rests.push(rest);
    yield toPcm(samplesOf(rest));
  }
}

const samplesOf = (text: string): Int16Array =>
  new Int16Array((text.length * SYNTHESIS_RATE) / 20).fill(1_000);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });

/** A transcriber whose events the test sends. */
export class FakeTranscriber extends Transcriber {
  readonly streams: (TranscriptionStream & {
    options: TranscriptionOptions;
    log: string[];
    bytes: number;
  })[] = [];
  private onEvent: (event: TranscriptionEvent) => void = () => undefined;

  override open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    this.onEvent = onEvent;
    const log: string[] = [];
    const stream = {
      options,
      log,
      bytes: 0,
      write: (audio: Buffer) => void (stream.bytes += audio.length),
      speechStarted: () => void log.push('started'),
      transcribeSoFar: () => void log.push('so far'),
      speechEnded: (isNoise = false) => void log.push(isNoise ? 'ended as noise' : 'ended'),
      close: () => void log.push('closed'),
    };
    this.streams.push(stream);
    return stream;
  }

  emit(event: TranscriptionEvent): void {
    this.onEvent(event);
  }
}

/** A voice detector whose frames the test sends. */
export class FakeVoiceDetector extends VoiceActivityDetector {
  private onFrame: OnVoiceFrame = () => undefined;

  override open(_sampleRate: number, onFrame: OnVoiceFrame): VoiceActivity {
    this.onFrame = onFrame;
    return { push: () => undefined, close: () => undefined };
  }

  voice(ms: number): void {
    for (let at = 0; at < ms; at += 20) this.onFrame(true, 20);
  }

  silence(ms: number): void {
    for (let at = 0; at < ms; at += 20) this.onFrame(false, 20);
  }
}
