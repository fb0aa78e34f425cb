import { decodeMulaw } from './mulaw.js';

const SAMPLE_RATE = 8_000;
const ROWS = [697, 770, 852, 941];
const COLUMNS = [1_209, 1_336, 1_477, 1_633];
const KEYPAD = ['123A', '456B', '789C', '*0#D'];
/** Minimum share of a frame's energy in each of a key's two frequencies. */
const SHARE = 0.3;
/** Minimum duration of a tone in frames of 20 ms. */
const MIN_FRAMES = 2;

/** Recognises keys in telephone audio (µ-law, 8 kHz), like a DTMF receiver: two frequencies for at least 40 ms. */
export class DtmfDetector {
  private key: string | null = null;
  private frames = 0;

  /** Whether this frame of 20 ms has a tone, and the key that is recognised with it. */
  take(frame: Buffer): { isTone: boolean; key: string | null } {
    const key = keyIn(frame);
    this.frames = key === this.key ? this.frames + 1 : 1;
    this.key = key;
    return { isTone: key !== null, key: this.frames === MIN_FRAMES ? key : null };
  }
}

function keyIn(frame: Buffer): string | null {
  const samples = decodeMulaw(frame);
  const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
  if (energy === 0) return null;
  const row = ROWS.findIndex((frequency) => share(samples, frequency, energy) > SHARE);
  const column = COLUMNS.findIndex((frequency) => share(samples, frequency, energy) > SHARE);
  return KEYPAD[row]?.[column] ?? null;
}

/** Goertzel: 0 to 1 of the energy, 0.5 for each of two pure tones. */
function share(samples: Int16Array, frequency: number, energy: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * frequency) / SAMPLE_RATE);
  let [last, before] = [0, 0];
  for (const sample of samples) [last, before] = [sample + factor * last - before, last];
  const power = last * last + before * before - factor * last * before;
  return (2 * power) / samples.length / energy;
}
