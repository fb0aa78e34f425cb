import { encodeMulaw } from '../speech/mulaw.js';
import { backgroundSound } from '../speech/noise.js';
import { FRAME_BYTES, isSilence } from '../speech/speech-code.js';
import type { LineTraits } from './line-traits.js';
import { secondVoice } from './second-voice.js';

const SAMPLE_RATE = 8_000;
/** The sounds repeat after this time. */
const LOOP_SAMPLES = 12 * SAMPLE_RATE;
const FULL_SCALE = 32_768;
/** Peaks are limited to this, so that no byte of them is a head of the speech code. */
const LOUDEST = 16_000;
/** Of the starts of different sounds, and of lines with different seeds. */
const OFFSET = 7_919;

const loops = new Map<string, Float32Array>();

/** Making one takes up to a tenth of a second. */
function loopOf(sound: string, make: () => Float32Array): Float32Array {
  const loop = loops.get(sound) ?? make();
  loops.set(sound, loop);
  return loop;
}

interface Source {
  loop: Float32Array;
  /** Root mean square, of 32,768. */
  level: number;
  offset: number;
}

/**
 * The sounds around a callee, in the audio of the line. They are heard where the callee is silent: the codes of the
 * callee's words, which are louder, stay as they are.
 */
export class LineBackground {
  private readonly sources: readonly Source[];

  constructor({ background, second_voice: voice, seed }: LineTraits) {
    const options = { sampleRate: SAMPLE_RATE, samples: LOOP_SAMPLES };
    const sounds = background.map(({ sound, level }) => ({
      loop: loopOf(sound, () => backgroundSound(sound, options)),
      level,
    }));
    const voices = voice
      ? [{ loop: loopOf('second voice', () => secondVoice(options)), level: voice.level }]
      : [];
    this.sources = [...sounds, ...voices].map(({ loop, level }, index) => ({
      loop,
      level: FULL_SCALE * 10 ** (level / 20),
      offset: (seed - 1 + index) * OFFSET,
    }));
  }

  /** @param frame of the callee @param number of the frame on this line */
  under(frame: Buffer, number: number): Buffer {
    if (this.sources.length === 0) return frame;
    const sound = encodeMulaw(this.samples(number * FRAME_BYTES));
    return Buffer.from(frame.map((byte, at) => (isSilence(byte) ? (sound[at] ?? byte) : byte)));
  }

  private samples(start: number): Int16Array {
    return Int16Array.from({ length: FRAME_BYTES }, (_, at) => {
      const sum = this.sources.reduce(
        (total, { loop, level, offset }) => total + level * (loop[(start + at + offset) % loop.length] ?? 0),
        0,
      );
      return Math.max(-LOUDEST, Math.min(LOUDEST, Math.round(sum)));
    });
  }
}
