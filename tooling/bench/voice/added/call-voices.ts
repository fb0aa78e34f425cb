import { FRAME_BYTES, isQuiet } from '../../../sandbox/speech/speech-code.js';

/** The loudest µ-law codes of each sign, all of them louder than a detector takes for a background. */
const LEVELS = 48;
const POSITIVE = 0x80;

/** 20 ms of loud µ-law audio at 8 kHz that tells the number of the call, which is below 2,304. */
export function voiceOf(call: number): Buffer {
  return Buffer.alloc(FRAME_BYTES, Buffer.of(POSITIVE + (call % LEVELS), Math.floor(call / LEVELS)));
}

/** Number of the call whose voice is the first loud sound in this µ-law audio. */
export function callOfVoice(audio: Uint8Array): number {
  const at = audio.findIndex((byte) => !isQuiet(byte));
  const [first = 0, second = 0] = audio.subarray(at, at + 2);
  const [low, high] = first >= POSITIVE ? [first, second] : [second, first];
  return low - POSITIVE + high * LEVELS;
}
