/** Root mean square of 16-bit samples, little-endian: 0 to 32,768. */
export function pcmLoudness(audio: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 1 < audio.length; at += 2) sum += audio.readInt16LE(at) ** 2;
  return Math.sqrt(sum / Math.max(1, audio.length >> 1));
}
