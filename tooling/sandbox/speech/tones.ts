/**
 * The speech of the sandbox as tones, for paths with audio conversion: it survives changes of the sample rate between
 * 8 and 48 kHz, µ-law and changes of volume.
 *
 * A text is UTF-8. A byte is two symbols of 40 ms, the upper half first; each is one of 16 frequencies from 700 Hz,
 * 120 Hz apart. A symbol equal to the previous one is the 17th frequency instead, so that a change of frequency
 * always begins a symbol. The text is between two pairs of markers: the 18th and 19th frequency begin it, the 19th
 * and 18th end it.
 */

export const SYMBOL_MS = 40;

const LOWEST_HZ = 700;
const STEP_HZ = 120;
const REPEAT = 16;
const MARK = 17;
const COUNTER_MARK = 18;
const FREQUENCIES = Array.from({ length: COUNTER_MARK + 1 }, (_, symbol) => LOWEST_HZ + symbol * STEP_HZ);

const AMPLITUDE = 12_000;
/** Attack and release time, so that a symbol does not spread over its neighbours. */
const RAMP_MS = 2;

/** Audio is analysed every 5 ms, in windows that separate neighbouring frequencies. */
const HOP_MS = 5;
const WINDOW_MS = 20;
/** A window is a tone when this much of its energy is in one frequency … */
const PURITY = 0.6;
/** … and it is louder than this on average, of 32,768. */
const QUIETEST = 60;
/** Minimum number of windows of a symbol, without another one between them. */
const MIN_WINDOWS = 3;

/** @returns samples of 16 bits; about 80 ms for each character of English */
export function toneSpeech(text: string, sampleRate: number): Int16Array {
  const symbols = [MARK, COUNTER_MARK, ...withoutRepeats(nibbles(text)), COUNTER_MARK, MARK];
  const length = Math.round((sampleRate * SYMBOL_MS) / 1000);
  const ramp = Math.round((sampleRate * RAMP_MS) / 1000);
  const samples = new Int16Array(symbols.length * length);
  symbols.forEach((symbol, index) => {
    const step = (2 * Math.PI * (FREQUENCIES[symbol] ?? 0)) / sampleRate;
    for (let at = 0; at < length; at += 1) {
      const envelope = Math.min(1, at / ramp, (length - at) / ramp);
      samples[index * length + at] = Math.round(AMPLITUDE * envelope * Math.sin(step * at));
    }
  });
  return samples;
}

const nibbles = (text: string): number[] =>
  [...Buffer.from(text, 'utf8')].flatMap((byte) => [byte >> 4, byte & 0x0f]);

function withoutRepeats(values: readonly number[]): number[] {
  const symbols: number[] = [];
  for (const value of values) symbols.push(symbols.at(-1) === value ? REPEAT : value);
  return symbols;
}

/** The recognised text: `complete` is false when its end or its beginning is missing. */
export interface RecognisedSpeech {
  text: string;
  complete: boolean;
}

/** Recognises the texts of a recording; noise and silence have none. */
export function recogniseTones(samples: Int16Array, sampleRate: number): RecognisedSpeech[] {
  const decoder = new ToneDecoder(sampleRate);
  const found = decoder.push(samples);
  const rest = decoder.end();
  return rest ? [...found, rest] : found;
}

/** Recognises tones of audio in pieces of any size. */
export class ToneDecoder {
  private pending = new Int16Array(0);
  private current: number | null = null;
  private windows = 0;
  private isTaken = false;
  private symbols: number[] | null = null;
  /** Of these, by `pause`. */
  private told = 0;
  private last: number | null = null;

  constructor(private readonly sampleRate: number) {}

  /** Whether a text has begun and not ended. */
  get inText(): boolean {
    return this.symbols !== null;
  }

  /** @returns the texts that ended in this piece */
  push(samples: Int16Array): RecognisedSpeech[] {
    const audio = new Int16Array(this.pending.length + samples.length);
    audio.set(this.pending);
    audio.set(samples, this.pending.length);
    const window = Math.round((this.sampleRate * WINDOW_MS) / 1000);
    const hop = Math.round((this.sampleRate * HOP_MS) / 1000);
    const found: RecognisedSpeech[] = [];
    let at = 0;
    for (; at + window <= audio.length; at += hop) {
      const text = this.hear(toneOf(audio.subarray(at, at + window), this.sampleRate));
      if (text) found.push(text);
    }
    this.pending = audio.slice(at);
    return found;
  }

  /** The audio has ended. @returns a text without its end */
  end(): RecognisedSpeech | null {
    const rest = this.rest();
    this.symbols = this.last = this.current = null;
    return rest;
  }

  /** A long silence. @returns a text without its end; its late rest is a separate text */
  pause(): RecognisedSpeech | null {
    const rest = this.rest();
    this.told = (this.symbols?.length ?? 0) & ~1;
    return rest;
  }

  private rest(): RecognisedSpeech | null {
    const symbols = this.symbols?.slice(this.told) ?? [];
    return symbols.length > 0 ? { text: textOf(symbols), complete: false } : null;
  }

  private hear(tone: number | null): RecognisedSpeech | null {
    // A gap does not end a symbol: on a busy machine audio may be late at any position.
    if (tone === null) return null;
    if (tone !== this.current) {
      this.current = tone;
      this.windows = 0;
      this.isTaken = false;
    }
    this.windows += 1;
    if (this.isTaken || this.windows < MIN_WINDOWS) return null;
    this.isTaken = true;
    return this.take(tone);
  }

  private take(tone: number): RecognisedSpeech | null {
    const previous = this.last;
    // Consecutive symbols differ: this is the same one, after a disturbance.
    if (tone === previous) return null;
    this.last = tone;
    if (tone === COUNTER_MARK && previous === MARK) {
      const unended = this.rest();
      this.symbols = [];
      this.told = 0;
      return unended;
    }
    if (tone === MARK && previous === COUNTER_MARK && this.symbols) {
      const { symbols } = this;
      this.symbols = null;
      return { text: textOf(symbols.slice(this.told)), complete: symbols.length % 2 === 0 };
    }
    if (tone < MARK) this.symbols?.push(tone === REPEAT ? (this.symbols.at(-1) ?? 0) : tone);
    return null;
  }
}

function textOf(symbols: readonly number[]): string {
  const bytes = Buffer.alloc(symbols.length >> 1);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = ((symbols[index * 2] ?? 0) << 4) | (symbols[index * 2 + 1] ?? 0);
  return bytes.toString('utf8').replaceAll('\ufffd', '');
}

/** The frequency with most of the energy; null for silence, noise and human speech. */
function toneOf(samples: Int16Array, sampleRate: number): number | null {
  const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
  if (energy < QUIETEST * QUIETEST * samples.length) return null;
  const powers = FREQUENCIES.map((frequency) => goertzel(samples, frequency / sampleRate));
  const strongest = powers.indexOf(Math.max(...powers));
  // A pure tone has the power N / 2 times its energy.
  return (powers[strongest] ?? 0) >= (PURITY * energy * samples.length) / 2 ? strongest : null;
}

/** The power of one frequency, given in turns per sample. */
function goertzel(samples: Int16Array, frequency: number): number {
  const coefficient = 2 * Math.cos(2 * Math.PI * frequency);
  let [before, last] = [0, 0];
  for (const sample of samples) [before, last] = [last, sample + coefficient * last - before];
  return last * last + before * before - coefficient * last * before;
}
