import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mulawOf } from '../speech/mulaw.js';
import { SpeechDecoder } from '../speech/speech-code.js';
import { isLost, recognitionMs } from '../speech/recognition-delay.js';
import { recogniseTones, toneSpeech } from '../speech/tones.js';
import type { ProviderDesk } from '../providers/provider-speech.js';
import { FirstRequests } from './first-requests.js';
import { ModelError } from './model-error.js';
import { checkSpeech, checkTranscription, MAX_FILE_BYTES } from './audio-rules.js';
import { readWav, wavHeader } from './wav.js';

const SPEECH_RATE = 24_000;
/** Delay of the first audio, as at real providers. */
const FIRST_AUDIO_MS = 150;
const CHUNK_BYTES = 9_600;
/** Of a field beside the file. */
const MAX_FIELD_BYTES = 64 * 1024;

/** Text to speech in the tones of `speech/tones.ts`, and speech to text. */
export async function audioRoutes(scope: FastifyInstance, { desk }: { desk: ProviderDesk }): Promise<void> {
  const requests = new FirstRequests();
  await scope.register(multipart, {
    limits: { fileSize: MAX_FILE_BYTES, fieldSize: MAX_FIELD_BYTES, files: 1, fields: 20 },
  });

  scope.post('/audio/transcriptions', { bodyLimit: MAX_FILE_BYTES * 2 }, async (request, reply) => {
    const { file, fields } = await formOf(request);
    const { format, model, flaw } = checkTranscription(file, fields);
    const { samples, sampleRate } = readWav(file ?? Buffer.alloc(0));
    const words = wordsOf(samples, sampleRate);
    await sleep(desk.realMs(recognitionMs(words, model)));
    if (flaw === 'stalls' || (flaw === 'breaks' && requests.isFirst(words))) {
      if (flaw === 'breaks') reply.raw.destroy();
      return new Promise(() => undefined);
    }
    const text = isLost(words, model) ? '' : words;
    return format === 'text' ? reply.type('text/plain; charset=utf-8').send(`${text}\n`) : { text };
  });

  scope.post('/audio/speech', async ({ body }, reply) => {
    const { input, format, flaw, ...asked } = checkSpeech(body);
    desk.note({ provider: 'OpenAI', text: input, ...asked });
    const samples = toneSpeech(input, SPEECH_RATE);
    const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    const file = format === 'wav' ? Buffer.concat([wavHeader(audio.length, SPEECH_RATE), audio]) : audio;
    await sleep(FIRST_AUDIO_MS);
    const chunks = flaw ? flawed(file, flaw, () => reply.raw.destroy()) : chunksOf(file);
    return reply.type(`audio/${format}`).send(Readable.from(chunks, { objectMode: false }));
  });
}

const TELEPHONE_RATE = 8_000;

/** Callees on telephone lines use the other code, which survives while the rate stays the same. */
function wordsOf(samples: Int16Array, sampleRate: number): string {
  const telephone = sampleRate === TELEPHONE_RATE ? mulawOf(samples) : null;
  const words = telephone ? new SpeechDecoder().push(telephone) : '';
  if (words !== '') return words;
  return recogniseTones(samples, sampleRate)
    .map(({ text }) => text)
    .join(' ');
}

interface Form {
  file: Buffer | null;
  fields: Record<string, string>;
}

async function formOf(request: FastifyRequest): Promise<Form> {
  if (!request.isMultipart())
    throw new ModelError(400, 'The request must be multipart/form-data.', 'invalid_content_type');
  const form: Form = { file: null, fields: {} };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') form.file = await bytesOf(part);
      else form.fields[part.fieldname] = String(part.value);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'FST_REQ_FILE_TOO_LARGE') throw error;
    throw new ModelError(413, `Maximum content size limit (${MAX_FILE_BYTES}) exceeded.`);
  }
  return form;
}

async function bytesOf(part: MultipartFile): Promise<Buffer | null> {
  const bytes = await part.toBuffer();
  return part.fieldname === 'file' ? bytes : null;
}

/** Half of the file, and then no further data or the end of the connection. */
async function* flawed(file: Buffer, flaw: string, cut: () => void): AsyncGenerator<Buffer> {
  yield* chunksOf(file.subarray(0, (file.length >> 2) * 2));
  if (flaw === 'breaks') setTimeout(cut, FIRST_AUDIO_MS);
  await new Promise(() => undefined);
}

function* chunksOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += CHUNK_BYTES) yield file.subarray(at, at + CHUNK_BYTES);
}
