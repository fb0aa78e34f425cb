import { describe, expect, it } from '@jest/globals';
import { fromPcm, toPcm } from '../audio/audio-format.js';
import { encodeMulaw } from '#src/modules/media/mulaw.js';
import { readSamples } from './audio-container.js';

const RATE = 24_000;
/** Half a second of 440 Hz. */
const tone = (rate = RATE): Int16Array =>
  Int16Array.from({ length: rate / 2 }, (_, at) =>
    Math.round(1_200 * Math.sin((2 * Math.PI * 440 * at) / rate)),
  );

const chunk = (name: string, data: Buffer, length = data.length): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

interface Wav {
  rate?: number;
  channels?: number;
  bits?: number;
  encoding?: number;
  extensible?: boolean;
  riff?: string;
  length?: number;
  before?: Buffer[];
  after?: Buffer[];
  data?: Buffer;
}

function wav({
  rate = RATE,
  channels = 1,
  bits = 16,
  encoding = 1,
  extensible = false,
  ...more
}: Wav): Buffer {
  const format = Buffer.alloc(extensible ? 40 : 16);
  format.writeUInt16LE(extensible ? 0xfffe : encoding, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE((rate * channels * bits) / 8, 8);
  format.writeUInt16LE((channels * bits) / 8, 12);
  format.writeUInt16LE(bits, 14);
  if (extensible) format.writeUInt16LE(encoding, 24);
  const { data = toPcm(tone(rate)), before = [], after = [] } = more;
  const body = Buffer.concat([
    Buffer.from('WAVE'),
    chunk('fmt ', format),
    ...before,
    chunk('data', data, more.length ?? data.length),
    ...after,
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(more.length === undefined ? body.length : 0xffffffff);
  return Buffer.concat([Buffer.from(more.riff ?? 'RIFF'), size, body]);
}

async function read(bytes: Buffer, { type = 'audio/pcm', pieces = bytes.length || 1 } = {}): Promise<Buffer> {
  async function* sent(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieces) yield bytes.subarray(at, at + pieces);
  }
  const audio: Buffer[] = [];
  for await (const piece of readSamples(sent(), type, '/audio/speech')) audio.push(piece);
  return Buffer.concat(audio);
}

/** Whether it is the tone: its length, its loudness, and its pitch by the changes of sign. */
function isTone(audio: Buffer): { seconds: number; peak: number; hertz: number } {
  const samples = fromPcm(audio);
  const changes = samples.filter((sample, at) => sample >= 0 !== (samples[at - 1] ?? sample) >= 0).length;
  const seconds = samples.length / RATE;
  const round = (value: number, to: number) => Math.round(value / to) * to;
  return {
    seconds: round(seconds * 10, 1) / 10,
    peak: round(Math.max(...samples.map(Math.abs)), 100),
    hertz: round(changes / 2 / seconds, 20),
  };
}

const stereo = (samples: Int16Array): Buffer =>
  toPcm(Int16Array.from({ length: samples.length * 2 }, (_, at) => samples[at >> 1] ?? 0));
const as24 = (samples: Int16Array): Buffer =>
  Buffer.concat(Array.from(samples, (sample) => Buffer.from([0x55, sample & 0xff, (sample >> 8) & 0xff])));
const asFloat = (samples: Int16Array): Buffer =>
  Buffer.from(Float32Array.from(samples, (sample) => sample / 32_768).buffer);
const as8 = (samples: Int16Array): Buffer => Buffer.from(samples.map((sample) => (sample >> 8) + 128));
const list = chunk('LIST', Buffer.from('INFOISFT....Lavf60.16.100'));

describe('readSamples', () => {
  it.each<[string, Buffer, string?]>([
    ['samples without a header', toPcm(tone())],
    ['samples whose rate the content type names', toPcm(tone(16_000)), 'audio/L16; rate=16000; channels=1'],
    ['samples of two channels by the content type', stereo(tone()), 'audio/pcm;rate=24000;channels=2'],
    ['a WAV file', wav({})],
    ['one that names itself otherwise', wav({}), 'application/octet-stream'],
    ['one of 16 kHz', wav({ rate: 16_000 })],
    ['one of 48 kHz and two channels', wav({ rate: 48_000, channels: 2, data: stereo(tone(48_000)) })],
    ['one of 24 bits', wav({ bits: 24, data: as24(tone()) })],
    ['one of floating point', wav({ encoding: 3, bits: 32, data: asFloat(tone()) })],
    ['one of µ-law', wav({ encoding: 7, bits: 8, rate: 8_000, data: encodeMulaw(tone(8_000)) })],
    ['an extensible format', wav({ extensible: true })],
    ['a list before the audio', wav({ before: [list] })],
    ['a list behind the audio', wav({ after: [list, list] })],
    ['a stream of unknown length', wav({ length: 0xffffffff })],
    ['a stream whose length is 0', wav({ length: 0 })],
    ['the 64-bit form', wav({ riff: 'RF64', length: 0xffffffff, before: [chunk('ds64', Buffer.alloc(28))] })],
  ])('reads %s, in pieces of any size', async (_what, bytes, type = 'audio/pcm') => {
    for (const pieces of [bytes.length, 997]) {
      const heard = isTone(await read(bytes, { pieces, type }));
      expect(heard.seconds).toBe(0.5);
      expect(heard.hertz).toBe(440);
      expect(heard.peak).toBeGreaterThanOrEqual(1_100);
      expect(heard.peak).toBeLessThanOrEqual(1_400);
    }
  });

  it('reads 8 bits, coarsely', async () => {
    expect((await read(wav({ bits: 8, data: as8(tone()) }))).length).toBe(RATE);
  });

  it.each<[string, Buffer[]]>([
    ['of known length', [wav({}), wav({})]],
    ['with lists between', [wav({ after: [list] }), wav({ before: [list] })]],
    ['of unknown length', [wav({ length: 0xffffffff }), wav({ length: 0 })]],
    ['of several rates', [wav({}), wav({ rate: 16_000, length: 0xffffffff }), wav({ rate: 48_000 })]],
  ])('reads consecutive WAV files, as for each sentence: %s', async (_what, files) => {
    for (const pieces of [100_000, 997, 1]) {
      const heard = isTone(await read(Buffer.concat(files), { pieces }));
      expect(heard).toEqual({ seconds: 0.5 * files.length, peak: 1_200, hertz: 440 });
    }
  });

  it.each(['text/plain; charset=utf-8', 'application/json', 'application/problem+json', 'text/event-stream'])(
    'refuses %s, whatever it holds',
    async (type) => {
      await expect(read(Buffer.from('Nö'), { type })).rejects.toMatchObject({ name: 'SpeechError' });
    },
  );

  it('returns the samples of a WAV file unchanged when the format matches', async () => {
    expect(await read(wav({ before: [list] }), { pieces: 3 })).toEqual(toPcm(tone()));
  });

  it.each([
    ['MP3', Buffer.from('ID3\x04\0\0\0\0\0\0\0\0\0', 'latin1')],
    ['MP3', Buffer.from([0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['MP3', Buffer.from([0xff, 0xf3, 0x84, 0xc4, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['AAC', Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['Ogg', Buffer.from('OggS\0\x02\0\0\0\0\0\0', 'latin1')],
    ['FLAC', Buffer.from('fLaC\0\0\0\x22\0\0\0\0', 'latin1')],
    ['MP4', Buffer.from('\0\0\0\x20ftypM4A ', 'latin1')],
    ['WebM', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1, 0, 0, 0, 0, 0, 0, 0x1f])],
    ['text', Buffer.from('{"error":{"message":"quota"}}')],
    ['text', Buffer.from('<!doctype html><html>')],
    ['text', Buffer.from('data: {"type":"speech.audio.delta"}')],
    ['text', Buffer.from('Internal Server Error')],
    ['AIFF or big-endian WAV', Buffer.from('RIFX\0\0\0\x24WAVEfmt ', 'latin1')],
    ['AU', Buffer.from('.snd\0\0\0\x18\0\0\0\0', 'latin1')],
  ])('refuses %s', async (name, bytes) => {
    await expect(read(bytes, { pieces: 5 })).rejects.toMatchObject({
      name: 'SpeechError',
      retryable: false,
      message: expect.stringContaining(`answers with ${name} instead of samples`),
    });
  });

  it.each([
    ['an encoding that is not known', wav({ encoding: 2, bits: 4 })],
    ['a rate that nobody has', wav({ rate: 1_000 })],
    ['no channels', wav({ channels: 0 })],
    ['no audio', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), list])],
    [
      'a header without end',
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), chunk('LIST', Buffer.alloc(70_000))]),
    ],
  ])('refuses a WAV file with %s', async (_what, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ name: 'SpeechError', retryable: false });
  });

  it.each([
    ['samples', toPcm(tone())],
    ['a WAV file', wav({})],
    ['a WAV file of unknown length', wav({ length: 0xffffffff })],
  ])('returns the first audio of %s before the next piece arrives', async (_what, bytes) => {
    const pieces = [bytes.subarray(0, 4_000), bytes.subarray(4_000)];
    async function* sent(): AsyncGenerator<Buffer> {
      for (let piece = pieces.shift(); piece; piece = pieces.shift()) yield piece;
    }
    const { value } = await readSamples(sent(), 'audio/pcm', '/audio/speech').next();
    expect([(value as Buffer).length > 3_500, pieces.length]).toEqual([true, 1]);
  });

  it('treats few bytes as samples', async () => {
    expect(await read(Buffer.from([1, 0, 2, 0, 3]))).toEqual(Buffer.from([1, 0, 2, 0]));
    expect(await read(Buffer.alloc(0))).toEqual(Buffer.alloc(0));
  });
});
