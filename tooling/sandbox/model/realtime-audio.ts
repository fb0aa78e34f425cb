import { isQuiet, speechBytes, SpeechDecoder } from '../speech/speech-code.js';
import { ToneDecoder, toneSpeech } from '../speech/tones.js';
import { RealtimeError } from './realtime-error.js';
import type { AudioFormatSpec } from './realtime-events.js';

/** Of `audio/pcm`. */
const PCM_RATE = 24_000;
const PCM_BYTES_PER_MS = 48;
const ULAW_BYTES_PER_MS = 8;
/** Speech is reported after this duration of it, and analysed in frames of it. */
const SPEECH_MS = 20;
/** Shorter audio is not committed. */
const MIN_COMMIT_MS = 100;
/** Of 32,768: a microphone's noise is quieter on average. */
const QUIETEST = 200;

export const bytesPerMs = ({ type }: AudioFormatSpec): number =>
  type === 'audio/pcm' ? PCM_BYTES_PER_MS : ULAW_BYTES_PER_MS;

/**
 * Spoken words: on a telephone line in bytes that must not change, as PCM in tones, which a browser may convert.
 *
 * @param msPerCharacter of the bytes; tones have a fixed duration
 */
export function spokenWords(text: string, msPerCharacter: number, format: AudioFormatSpec): Buffer {
  if (format.type !== 'audio/pcm') return speechBytes(text, msPerCharacter);
  const samples = toneSpeech(text, PCM_RATE);
  const audio = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => audio.writeInt16LE(sample, index * 2));
  return audio;
}

/** Recognition for one kind of audio. */
interface Ears {
  /** @returns the words recognised in this piece */
  push(frame: Buffer): string;
  /** The turn ends. @returns the recognised part of interrupted words */
  end(): string;
  /** Bytes of the frame with sound, and whether it ends in silence. */
  energy(frame: Buffer): { loud: number; endsSilent: boolean };
}

class BytesEars implements Ears {
  /** Of all turns: a pause may be in the middle of a character. */
  private readonly decoder = new SpeechDecoder();

  push(frame: Buffer): string {
    return this.decoder.push(frame);
  }

  end(): string {
    return '';
  }

  energy(frame: Buffer) {
    const loud = frame.reduce((sum, byte) => sum + (isQuiet(byte) ? 0 : 1), 0);
    return { loud, endsSilent: isQuiet(frame.at(-1)) };
  }
}

class ToneEars implements Ears {
  private readonly decoder = new ToneDecoder(PCM_RATE);

  push(frame: Buffer): string {
    const found = this.decoder.push(samplesOf(frame));
    return found.map(({ text }) => `${text} `).join('');
  }

  end(): string {
    return this.decoder.end()?.text ?? '';
  }

  energy(frame: Buffer) {
    const samples = samplesOf(frame);
    const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
    const isLoud = energy > QUIETEST * QUIETEST * samples.length;
    return { loud: isLoud ? frame.length : 0, endsSilent: !isLoud };
  }
}

function samplesOf(audio: Buffer): Int16Array {
  const samples = new Int16Array(audio.length >> 1);
  for (let index = 0; index < samples.length; index += 1) samples[index] = audio.readInt16LE(index * 2);
  return samples;
}

export interface VoiceListener {
  started(atMs: number): void;
  stopped(atMs: number, text: string): void;
}

/** Detects speech by the energy of audio, and recognises the words. */
export class VoiceDetection {
  /** Silence that ends a turn, in milliseconds of audio; null: turns are not detected. */
  silenceMs: number | null = 500;
  private format: AudioFormatSpec = { type: 'audio/pcm', rate: PCM_RATE };
  private ears: Ears = new ToneEars();
  private rest: Buffer = Buffer.alloc(0);
  private text = '';
  private bytes = 0;
  private committedBytes = 0;
  private loud = 0;
  private silent = 0;
  private speaks = false;

  constructor(private readonly on: VoiceListener) {}

  hearIn(format: AudioFormatSpec): void {
    if (format.type === this.format.type) return;
    this.format = format;
    this.ears = format.type === 'audio/pcm' ? new ToneEars() : new BytesEars();
  }

  push(audio: Buffer): void {
    const size = SPEECH_MS * bytesPerMs(this.format);
    const whole = Buffer.concat([this.rest, audio]);
    let at = 0;
    for (; at + size <= whole.length; at += size) this.take(whole.subarray(at, at + size));
    this.rest = whole.subarray(at);
  }

  /** The client commits the audio; speech goes on. @returns its words @throws RealtimeError when there is none */
  commit(): string {
    const bufferedMs = (this.bytes - this.committedBytes) / bytesPerMs(this.format);
    if (bufferedMs < MIN_COMMIT_MS) {
      const message = `Error committing input audio buffer: buffer too small. Expected at least ${MIN_COMMIT_MS}ms of audio, but buffer only has ${bufferedMs.toFixed(2)}ms of audio.`;
      throw new RealtimeError(message, 'input_audio_buffer_commit_empty');
    }
    return this.takeWords();
  }

  private take(frame: Buffer): void {
    this.bytes += frame.length;
    this.text += this.ears.push(frame);
    if (this.silenceMs === null) return;
    const { loud, endsSilent } = this.ears.energy(frame);
    this.loud = loud > 0 ? this.loud + loud : this.speaks ? this.loud : 0;
    this.silent = endsSilent ? this.silent + frame.length - loud : 0;
    if (!this.speaks && this.loud >= this.toBytes(SPEECH_MS / 2)) this.begin();
    else if (this.speaks && this.silent >= this.toBytes(this.silenceMs)) this.end();
  }

  private begin(): void {
    this.speaks = true;
    this.on.started(this.ms);
  }

  private end(): void {
    this.speaks = false;
    this.loud = this.silent = 0;
    this.on.stopped(this.ms, this.takeWords());
  }

  private takeWords(): string {
    const text = (this.text + this.ears.end()).trim();
    this.text = '';
    this.committedBytes = this.bytes;
    return text;
  }

  private get ms(): number {
    return Math.floor(this.bytes / bytesPerMs(this.format));
  }

  private toBytes(ms: number): number {
    return ms * bytesPerMs(this.format);
  }
}
