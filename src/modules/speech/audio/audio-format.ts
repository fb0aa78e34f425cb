import { SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';
import { decodeMulaw, encodeMulaw } from '#src/modules/media/mulaw.js';

const WAV_HEADER_BYTES = 44;

/** Samples of 16 bits at the rate of the format. */
export const decodeAudio = (audio: Buffer, format: AudioFormat): Int16Array =>
  format === 'pcmu-8000' ? decodeMulaw(audio) : fromPcm(audio);

export const encodeAudio = (samples: Int16Array, format: AudioFormat): Buffer =>
  format === 'pcmu-8000' ? encodeMulaw(samples) : toPcm(samples);

export const silenceOf = (ms: number, format: AudioFormat): Buffer =>
  encodeAudio(new Int16Array((ms * SAMPLE_RATE[format]) / 1000), format);

/** Little-endian samples of 16 bits; half a sample at the end is left out. */
export function fromPcm(audio: Buffer): Int16Array {
  const samples = new Int16Array(audio.length >> 1);
  for (let index = 0; index < samples.length; index += 1) samples[index] = audio.readInt16LE(index * 2);
  return samples;
}

export function toPcm(samples: Int16Array): Buffer {
  const audio = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => audio.writeInt16LE(sample, index * 2));
  return audio;
}

/** A WAV file of one channel. */
export function toWav(samples: Int16Array, sampleRate: number): Buffer {
  const audio = toPcm(samples);
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + audio.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(audio.length, 40);
  return Buffer.concat([header, audio]);
}
