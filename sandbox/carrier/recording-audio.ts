/** A second of silence: 8 kHz, 8 bit µ-law, one channel, as a WAV file. */
export function silentWav(): Buffer {
  const samples = Buffer.alloc(8000, 0xff);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(7, 20); // µ-law
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(8000, 24); // samples a second
  header.writeUInt32LE(8000, 28); // bytes a second
  header.writeUInt16LE(1, 32); // bytes a sample
  header.writeUInt16LE(8, 34); // bits a sample
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
