import { ModelError } from './model-error.js';

const SHORTEST_MS = 100;
const HEADER_BYTES = 44;

/** @throws ModelError for data other than a WAV file of one channel of 16 bits, or too short */
export function readWav(file: Buffer): { samples: Int16Array; sampleRate: number } {
  const isWav = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WAVE';
  const format = isWav ? chunk(file, 'fmt ') : null;
  const audio = isWav ? chunk(file, 'data') : null;
  if (!format || !audio || format.length < 16)
    throw new ModelError(400, 'Invalid file format. The sandbox reads wav.', null, 'file');
  const [kind, channels, bits] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt16LE(14)];
  if (kind !== 1 || channels !== 1 || bits !== 16)
    throw new ModelError(400, 'The sandbox reads one channel of 16 bits.', null, 'file');
  const sampleRate = format.readUInt32LE(4);
  if (audio.length / 2 / sampleRate < SHORTEST_MS / 1000)
    throw new ModelError(
      400,
      'Audio file is too short. Minimum audio length is 0.1 seconds.',
      'audio_too_short',
      'file',
    );
  return {
    samples: Int16Array.from({ length: audio.length >> 1 }, (_, index) => audio.readInt16LE(index * 2)),
    sampleRate,
  };
}

function chunk(file: Buffer, name: string): Buffer | null {
  for (let at = 12; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === name) return file.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  return null;
}

/** Of one channel of 16 bits. */
export function wavHeader(audioBytes: number, sampleRate: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + audioBytes, 4);
  header.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, sampleRate],
    [28, sampleRate * 2],
    [40, audioBytes],
  ] as const)
    header.writeUInt32LE(value, at);
  header.write('data', 36);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    header.writeUInt16LE(value, at);
  return header;
}
