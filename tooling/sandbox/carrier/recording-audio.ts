/** Like the carrier's WAV files: 8 kHz, 16 bit, one channel. */
const RATE = 8_000;
const HEADER_BYTES = 44;
const VOLUME = 6_000;
/** A frequency for each recording, by the start of its name. */
const [LOWEST_HZ, STEP_HZ, STEPS] = [220, 20, 32];

/** A playable WAV file: half a second of tone, half a second of silence, and so on. */
export function recordedWav(sid: string, seconds: number): Buffer {
  const samples = Math.max(1, seconds) * RATE;
  const file = Buffer.alloc(HEADER_BYTES + samples * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(1, 22); // channels
  file.writeUInt32LE(RATE, 24); // samples a second
  file.writeUInt32LE(RATE * 2, 28); // bytes a second
  file.writeUInt16LE(2, 32); // bytes a sample
  file.writeUInt16LE(16, 34); // bits a sample
  file.write('data', 36);
  file.writeUInt32LE(samples * 2, 40);
  const hertz = LOWEST_HZ + (parseInt(sid.slice(2, 6), 16) % STEPS) * STEP_HZ;
  for (let n = 0; n < samples; n++) {
    const isTone = n % RATE < RATE / 2;
    const level = isTone ? Math.round(VOLUME * Math.sin((2 * Math.PI * hertz * n) / RATE)) : 0;
    file.writeInt16LE(level, HEADER_BYTES + n * 2);
  }
  return file;
}
