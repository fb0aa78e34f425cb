import { decodeMulaw, encodeMulaw } from '../../../sandbox/speech/mulaw.js';
import { FRAME_BYTES, isQuiet } from '../../../sandbox/speech/speech-code.js';

/** The loudest µ-law codes of each sign, all of them louder than a detector takes for a background. */
const LEVELS = 48;
const POSITIVE = 0x80;

const TELEPHONE_RATE = 8_000;
/** Samples at 24 kHz for each of a telephone's. */
const RATIO = 3;

/** 20 ms of loud µ-law audio at 8 kHz that tells the number of the call, which is below 2,304. */
export function voiceOf(call: number): Buffer {
  return Buffer.alloc(FRAME_BYTES, Buffer.of(POSITIVE + (call % LEVELS), Math.floor(call / LEVELS)));
}

/** The same as 16-bit audio at 24 kHz, each sample three times. */
export function pcmVoiceOf(call: number): Buffer {
  const samples = decodeMulaw(voiceOf(call));
  const repeated = Int16Array.from(
    { length: samples.length * RATIO },
    (_, at) => samples[Math.floor(at / RATIO)] ?? 0,
  );
  return Buffer.from(repeated.buffer);
}

/** µ-law audio at 8 kHz. @param sampleRate a multiple of it */
export function toTelephone(samples: Int16Array, sampleRate: number): Buffer {
  const step = sampleRate / TELEPHONE_RATE;
  return encodeMulaw(samples.filter((_, at) => at % step === 0));
}

/** Number of the call whose voice is the first loud sound in this µ-law audio. */
export function callOfVoice(audio: Uint8Array): number {
  const at = audio.findIndex((byte) => !isQuiet(byte));
  const [first = 0, second = 0] = audio.subarray(at, at + 2);
  const [low, high] = first >= POSITIVE ? [first, second] : [second, first];
  return low - POSITIVE + high * LEVELS;
}
