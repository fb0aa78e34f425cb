import { RATE, readRecordings } from '../../tooling/bench/voice/recordings.js';
import { activeRms, clip } from '../../tooling/sandbox/speech/noise.js';
import { toneSpeech } from '../../tooling/sandbox/speech/tones.js';

/** Of all audio here. */
export const VOICE_RATE = RATE;
/** Of 32,768: a person at a microphone. */
const LEVEL = 2_600;
const SENTENCES = 40;
const SECONDS = { shortest: 2, longest: 2.5 };
/** The word comes after this much of the voice, which is enough to interrupt. */
const BEFORE_WORD_SECONDS = 0.6;
/** Over a word the voice is quieter by this factor: the word is understood, and the voice is still detected. */
const VOICE_UNDER_WORD = 0.4;
const WORD_LEVEL = 3_400;

/**
 * Voices of people: the recordings of the folder `VOICE_RECORDINGS`, else synthesised ones. The sandbox's recognisers
 * understand no voice, so that each utterance has its word as tones over the voice.
 */
export class RecordedVoices {
  private next = 0;

  private constructor(private readonly sentences: readonly Int16Array[]) {}

  static async read(folder = process.env.VOICE_RECORDINGS || null): Promise<RecordedVoices> {
    const { sentences } = await readRecordings(folder, { words: 0, sentences: SENTENCES });
    const long = sentences.filter(({ samples }) => samples.length >= SECONDS.shortest * RATE);
    if (long.length === 0) throw new Error(`no recording of ${SECONDS.shortest} s in ${folder}`);
    return new RecordedVoices(
      long.map(({ samples }) => atLevel(samples.subarray(0, SECONDS.longest * RATE), LEVEL)),
    );
  }

  /** The next voice, 2 to 2.5 s. */
  voice(): Int16Array {
    const sentence = this.sentences[this.next++ % this.sentences.length];
    return sentence ?? new Int16Array(0);
  }

  /** The next voice, with a short word of which recognisers understand the tones. */
  utterance(word: string): Int16Array {
    const tones = atLevel(toneSpeech(word, RATE), WORD_LEVEL);
    const start = BEFORE_WORD_SECONDS * RATE;
    return this.voice().map((sample, at) => {
      const tone = tones[at - start];
      return tone === undefined ? sample : clip(VOICE_UNDER_WORD * sample + tone);
    });
  }
}

/** Pieces of audio, one after the other; numbers are seconds of silence. */
export function joined(...parts: (Int16Array | number)[]): Int16Array {
  const pieces = parts.map((part) => (typeof part === 'number' ? new Int16Array(part * RATE) : part));
  const audio = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  pieces.reduce((at, piece) => (audio.set(piece, at), at + piece.length), 0);
  return audio;
}

function atLevel(samples: Int16Array, level: number): Int16Array {
  const scale = level / (activeRms(samples) || 1);
  return samples.map((sample) => clip(sample * scale));
}
