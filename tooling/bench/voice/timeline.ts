import { decodeMulaw, encodeMulaw } from '#src/modules/media/mulaw.js';
import { activeRms, backgroundSound, clip, mixAtSnr, type Noise } from '../../sandbox/speech/noise.js';
import { seededRandom } from '../../sandbox/speech/seeded-random.js';
import { RATE, type Recording } from './recordings.js';

/** Pauses between utterances, in seconds. */
const PAUSE = { shortest: 1.5, longest: 3 };
/** Root mean square of the speech: −22 dBFS, of a telephone. */
const SPEECH_LEVEL = 2_600;
/** One person speaks louder and quieter by this, in decibels. */
const LOUDNESS_SPREAD = 4;

/** Audio of a customer, and when they speak, in milliseconds. */
export interface Timeline {
  samples: Int16Array;
  utterances: { from: number; to: number }[];
}

export interface Background {
  noise: Noise;
  snrDb: number;
}

/** Utterances with pauses over a background, through µ-law. @param others whose speech babble and television are of */
export function buildTimeline(
  recordings: readonly Recording[],
  background: Background | null,
  others: readonly Recording[],
): Timeline {
  const random = seededRandom(3);
  const pieces: Int16Array[] = [];
  const utterances: Timeline['utterances'] = [];
  let at = 0;
  const add = (samples: Int16Array): void => {
    pieces.push(samples);
    at += samples.length;
  };
  const pause = (): void => {
    const share = (random() + 1) / 2;
    add(new Int16Array(Math.round(RATE * (PAUSE.shortest + share * (PAUSE.longest - PAUSE.shortest)))));
  };
  for (const { samples } of recordings) {
    pause();
    const from = (at / RATE) * 1000;
    const gain = 10 ** ((random() * LOUDNESS_SPREAD) / 20);
    const scale = (gain * SPEECH_LEVEL) / (activeRms(samples) || 1);
    add(samples.map((sample) => clip(sample * scale)));
    utterances.push({ from, to: (at / RATE) * 1000 });
  }
  pause();
  const speech = new Int16Array(at);
  pieces.reduce((offset, piece) => (speech.set(piece, offset), offset + piece.length), 0);
  const voices = others.map(({ samples }) => samples);
  const mixed = background
    ? mixAtSnr(
        speech,
        backgroundSound(background.noise, { sampleRate: RATE, samples: at, voices }),
        background.snrDb,
        SPEECH_LEVEL,
      )
    : speech;
  return { samples: decodeMulaw(encodeMulaw(mixed)), utterances };
}
