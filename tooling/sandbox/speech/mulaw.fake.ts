import { decodeMulaw } from './decode-mulaw.js';

const SAMPLES = decodeMulaw(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));

/** The µ-law byte whose sample is nearest. */
export const nearestMulaw = (sample: number): number =>
  SAMPLES.reduce(
    (best, value, byte) => (Math.abs(value - sample) < Math.abs((SAMPLES[best] ?? 0) - sample) ? byte : best),
    0,
  );
