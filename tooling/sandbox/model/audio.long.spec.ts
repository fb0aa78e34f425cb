import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../sandbox.js';
import { decodeMulaw } from '../speech/mulaw.js';
import { speechBytes } from '../speech/speech-code.js';
import { toneSpeech } from '../speech/tones.js';
import { wavHeader } from './wav.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, accountSid: 'AC1', authToken: 'secret', apiKey: 'key' });
});
afterAll(() => sandbox.close());

const headers = { authorization: 'Bearer key' };

function wav(samples: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return new Uint8Array(Buffer.concat([wavHeader(audio.length, sampleRate), audio]));
}

function transcribe(fields: Record<string, string>, file: Uint8Array<ArrayBuffer> | null): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set('file', new Blob([file]), 'a.wav');
  return fetch(`${sandbox.url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
}

const speak = (body: object): Promise<Response> =>
  fetch(`${sandbox.url}/v1/audio/speech`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const MODEL = { model: 'whisper-1' };
const HELLO = wav(toneSpeech('Hello', 48_000), 48_000);
const SPEECH = { model: 'tts-1', input: 'Hello', voice: 'nova', response_format: 'wav' };

describe('/v1/audio/transcriptions', () => {
  it('transcribes the speech of /v1/audio/speech', async () => {
    const file = new Uint8Array(await (await speak(SPEECH)).arrayBuffer());
    const answer = await transcribe({ ...MODEL, language: 'en' }, file);
    expect([answer.status, await answer.json()]).toEqual([200, { text: 'Hello' }]);
    expect(await (await transcribe({ ...MODEL, response_format: 'text' }, HELLO)).text()).toBe('Hello\n');
  });

  it('transcribes the speech of a callee on a telephone line', async () => {
    const samples = decodeMulaw(Buffer.concat([Buffer.alloc(800, 0xff), speechBytes('Good day – 1:1.')]));
    expect(await (await transcribe(MODEL, wav(samples, 8_000))).json()).toEqual({ text: 'Good day – 1:1.' });
  });

  it('returns words 300 to 1,500 ms after the request, and loses some, as the model is named', async () => {
    const began = performance.now();
    expect(await (await transcribe({ model: 'whisper-1+late' }, HELLO)).json()).toEqual({ text: 'Hello' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_490);
    const heard = await Promise.all(
      ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map(async (word) => {
        const file = wav(toneSpeech(word, 8_000), 8_000);
        return (
          (await (await transcribe({ model: 'whisper-1+loses-words' }, file)).json()) as { text: string }
        ).text;
      }),
    );
    expect(heard).toContain('');
    expect(heard.filter(Boolean).length).toBeGreaterThan(1);
  });

  it('has too many requests, breaks off at the first of two, or returns nothing, as the model is named', async () => {
    const busy = await transcribe({ model: 'whisper-1+busy' }, HELLO);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '1']);
    const breaks = { model: 'whisper-1+breaks' };
    await expect(transcribe(breaks, HELLO)).rejects.toThrow('fetch failed');
    expect(await (await transcribe(breaks, HELLO)).json()).toEqual({ text: 'Hello' });
    const stalled = transcribe({ model: 'whisper-1+stalls' }, HELLO).then(() => 'an answer');
    const later = transcribe({ model: 'whisper-1+late' }, HELLO).then(() => 'none');
    stalled.catch(() => undefined);
    expect(await Promise.race([stalled, later])).toBe('none');
  });

  it('returns no words for silence', async () => {
    const answer = await transcribe(MODEL, wav(new Int16Array(8_000), 8_000));
    expect(await answer.json()).toEqual({ text: '' });
  });

  it.each([
    ['without a file', MODEL, null, 400, 'file'],
    ['without a model', {}, HELLO, 400, 'model'],
    ['of an unknown model', { model: 'whisper-9' }, HELLO, 404, 'model'],
    ['in a language that is no ISO-639-1', { ...MODEL, language: 'en-US' }, HELLO, 400, 'language'],
    ['in an unknown format', { ...MODEL, response_format: 'pdf' }, HELLO, 400, 'response_format'],
    ['of what is no audio', MODEL, new Uint8Array(10_000), 400, 'file'],
    ['of less than 0.1 seconds', MODEL, wav(new Int16Array(700), 8_000), 400, 'file'],
    ['of a file of more than 25 MB', MODEL, new Uint8Array(25 * 1024 * 1024 + 1), 413, null],
  ])('refuses a request %s', async (_, fields, file, status, param) => {
    const answer = await transcribe(fields, file);
    expect([answer.status, await answer.json()]).toEqual([
      status,
      { error: expect.objectContaining({ type: 'invalid_request_error', param }) },
    ]);
  });

  it('refuses an invalid form, and a wrong key', async () => {
    const url = `${sandbox.url}/v1/audio/transcriptions`;
    const json = { ...headers, 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers: json, body: '{}' })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: new FormData() })).status).toBe(401);
  });
});

describe('/v1/audio/speech', () => {
  it.each([
    [{ model: undefined }, 400],
    [{ model: 'tts-9' }, 404],
    [{ voice: 'Rachel' }, 400],
    [{ voice: undefined }, 400],
    [{ input: '' }, 400],
    [{ input: 'a'.repeat(4_097) }, 400],
    [{ speed: 5 }, 400],
    [{ response_format: 'text' }, 400],
    [{ pitch: 1 }, 400],
  ])('refuses a wrong request (case %#)', async (changes, status) => {
    expect((await speak({ ...SPEECH, ...changes })).status).toBe(status);
  });
});
