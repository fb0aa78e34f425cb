import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { startSandbox, type Sandbox } from '../sandbox.js';

const RACHEL = '21m00Tcm4TlvDq8ikWAM';
const KATIE = 'f786b574-daa5-4673-aa0c-cbe3e8534c02';
const OUTPUT = { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 };
const ASK = {
  context_id: 'a',
  model_id: 'sonic-3.5',
  transcript: 'Hello.',
  voice: { mode: 'id', id: KATIE },
  language: 'en',
  output_format: OUTPUT,
};
const CONTINUED = { ...ASK, continue: true, max_buffer_delay_ms: 0 };
const ELEVEN = { 'xi-api-key': 'key' };
const CARTESIA = { 'x-api-key': 'key', 'cartesia-version': '2026-03-01' };
const DEEPGRAM = { authorization: 'Token key' };
const BEGIN = { text: ' ', context_id: 'a' };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, accountSid: 'AC1', authToken: 'secret', apiKey: 'key' });
});
afterAll(() => sandbox.close());

/** A provider's refusal: the status of the handshake, the first error, or the code of the close. */
async function refusalOf(
  path: string,
  headers: Record<string, string>,
  messages: unknown[],
): Promise<unknown> {
  const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}${path}`, { headers });
  try {
    return await new Promise((resolve, reject) => {
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
      socket.on('open', () => {
        for (const message of messages)
          socket.send(Buffer.isBuffer(message) ? message : JSON.stringify(message));
      });
      socket.on('message', (data, isBinary) => {
        const { error, error_code, type, code } = isBinary ? {} : JSON.parse(String(data));
        const told = error ?? error_code ?? (type === 'Warning' || type === 'Error' ? code : undefined);
        if (told !== undefined) resolve(told);
      });
      socket.on('close', (code) => resolve(code));
      socket.on('error', reject);
    });
  } finally {
    socket.terminate();
  }
}

const eleven = (query = '', voice = RACHEL): string =>
  `/v1/text-to-speech/${voice}/multi-stream-input?model_id=eleven_flash_v2_5&output_format=pcm_24000${query}`;
const speak = (query: string): string => `/v1/speak?model=aura-2-thalia-en${query}`;
const nova = (query: string): string => `/v1/listen?model=nova-3&encoding=linear16&sample_rate=24000${query}`;
const flux = (query: string): string =>
  `/v2/listen?model=flux-general-en&encoding=linear16&sample_rate=24000${query}`;

describe('the speech providers of the sandbox', () => {
  it.each<[string, string, Record<string, string>, unknown[], unknown]>([
    ['ElevenLabs: another key', eleven(), { 'xi-api-key': 'x' }, [], 'invalid_api_key'],
    ['ElevenLabs: an unknown voice', eleven('', 'nobody'), ELEVEN, [], 'voice_not_found'],
    ['ElevenLabs: a model without this socket', eleven().replace('flash_v2_5', 'v3'), ELEVEN, [], 403],
    [
      'ElevenLabs: another format',
      eleven().replace('pcm_24000', 'pcm_1'),
      ELEVEN,
      [],
      'invalid_output_format',
    ],
    [
      'ElevenLabs: a language of other models',
      eleven('&language_code=xx'),
      ELEVEN,
      [],
      'unsupported_language',
    ],
    [
      'ElevenLabs: text before the beginning',
      eleven(),
      ELEVEN,
      [{ text: 'Hi ', context_id: 'a' }],
      'invalid_input_message',
    ],
    [
      'ElevenLabs: a setting out of range',
      eleven(),
      ELEVEN,
      [{ ...BEGIN, voice_settings: { speed: 1.5 } }],
      'invalid_input_message',
    ],
    [
      'ElevenLabs: too long a text',
      eleven(),
      ELEVEN,
      [BEGIN, { text: 'x'.repeat(40_001), context_id: 'a' }],
      'max_character_limit_exceeded',
    ],
    [
      'ElevenLabs: a sixth context',
      eleven(),
      ELEVEN,
      [1, 2, 3, 4, 5, 6].map((id) => ({ ...BEGIN, context_id: `c${id}` })),
      'max_active_conversations',
    ],
    [
      'ElevenLabs: text for a closed context',
      eleven(),
      ELEVEN,
      [
        BEGIN,
        { text: 'Hello. ', context_id: 'a', flush: true },
        { context_id: 'a', close_context: true },
        { text: 'More. ', context_id: 'a', flush: true },
      ],
      'invalid_input_message',
    ],
    [
      'ElevenLabs: a second of silence',
      eleven('&inactivity_timeout=1'),
      ELEVEN,
      [],
      'input_timeout_exceeded',
    ],
    ['Cartesia: another key', '/tts/websocket', { ...CARTESIA, 'x-api-key': 'x' }, [], 401],
    ['Cartesia: no version', '/tts/websocket', { 'x-api-key': 'key' }, [], 400],
    [
      'Cartesia: an unknown model',
      '/tts/websocket',
      CARTESIA,
      [{ ...ASK, model_id: 'x' }],
      'model_not_found',
    ],
    [
      'Cartesia: an unknown voice',
      '/tts/websocket',
      CARTESIA,
      [{ ...ASK, voice: { mode: 'id', id: 'x' } }],
      'voice_not_found',
    ],
    [
      'Cartesia: another format',
      '/tts/websocket',
      CARTESIA,
      [{ ...ASK, output_format: { ...OUTPUT, container: 'mp3' } }],
      'invalid_output_format',
    ],
    ['Cartesia: an ended context', '/tts/websocket', CARTESIA, [ASK, ASK], 'invalid_context'],
    [
      'Cartesia: other settings in a context',
      '/tts/websocket',
      CARTESIA,
      [CONTINUED, { ...ASK, max_buffer_delay_ms: 0, language: 'de' }],
      'invalid_context',
    ],
    [
      'Cartesia: a context that was cancelled',
      '/tts/websocket',
      CARTESIA,
      [CONTINUED, { context_id: 'a', cancel: true }, { ...CONTINUED, continue: false }],
      'invalid_context',
    ],
    [
      'Cartesia: an empty beginning',
      '/tts/websocket',
      CARTESIA,
      [{ ...CONTINUED, transcript: '' }],
      'invalid_request',
    ],
    [
      'Cartesia: too long a delay',
      '/tts/websocket',
      CARTESIA,
      [{ ...CONTINUED, max_buffer_delay_ms: 5_001 }],
      'invalid_request',
    ],
    ['Aura: another key', speak(''), { authorization: 'Bearer key' }, [], 401],
    ['Aura: an unknown voice', '/v1/speak?model=aura-9', DEEPGRAM, [], 400],
    ['Aura: another format', speak('&encoding=mulaw&sample_rate=24000'), DEEPGRAM, [], 400],
    ['Aura: too fast', speak('&speed=1.6'), DEEPGRAM, [], 400],
    ['Aura: an unknown parameter', speak('&stability=1'), DEEPGRAM, [], 400],
    ['Aura: too long a text', speak(''), DEEPGRAM, [{ type: 'Speak', text: 'x'.repeat(2_001) }], 1009],
    ['Aura: audio', speak(''), DEEPGRAM, [Buffer.alloc(10)], 1003],
    ['Aura: an unknown message', speak(''), DEEPGRAM, [{ type: 'Sing' }], 1008],
    [
      'Aura: flushes without end',
      speak(''),
      DEEPGRAM,
      Array.from({ length: 21 }, () => ({ type: 'Flush' })),
      'EXCESSIVE_FLUSH',
    ],
    ['Nova: another key', nova(''), { authorization: 'Bearer key' }, [], 401],
    ['Nova: an unknown model', nova('').replace('nova-3', 'nova-9'), DEEPGRAM, [], 400],
    ['Nova: an unknown parameter', nova('&stability=1'), DEEPGRAM, [], 400],
    ['Nova: a parameter that is given twice', nova('&language=en&language=de'), DEEPGRAM, [], 400],
    ['Nova: an unknown language', nova('&language=nb-NO'), DEEPGRAM, [], 400],
    ['Nova: another format', nova('').replace('24000', '1000'), DEEPGRAM, [], 400],
    ['Nova: no format', '/v1/listen?model=nova-3', DEEPGRAM, [], 400],
    ['Nova: two channels', nova('&channels=2'), DEEPGRAM, [], 400],
    ['Nova: a wrong flag', nova('&interim_results=1'), DEEPGRAM, [], 400],
    ['Nova: a wrong silence', nova('&endpointing=-1'), DEEPGRAM, [], 400],
    ['Nova: ends without interim results', nova('&utterance_end_ms=1000'), DEEPGRAM, [], 400],
    ['Nova: an unknown redaction', nova('&redact=names'), DEEPGRAM, [], 400],
    ['Nova: too many requests', nova('').replace('nova-3', 'nova-3%2Bbusy'), DEEPGRAM, [], 429],
    ['Nova: an unknown message', nova(''), DEEPGRAM, [{ type: 'ForceEndTurn' }], 1008],
    ['Nova: half a sample', nova(''), DEEPGRAM, [Buffer.alloc(11)], 1008],
    ['Flux: another key', flux(''), { authorization: 'Token x' }, [], 401],
    ['Flux: an unknown model', flux('').replace('-en', '-xx'), DEEPGRAM, [], 400],
    ['Flux: another format', flux('').replace('24000', '1000'), DEEPGRAM, [], 400],
    ['Flux: a threshold out of range', flux('&eager_eot_threshold=0.1'), DEEPGRAM, [], 400],
    ['Flux: a hint to the English model', flux('&language_hint=de'), DEEPGRAM, [], 400],
    ['Flux: a message of Nova', flux(''), DEEPGRAM, [{ type: 'KeepAlive' }], 'UNPARSABLE_CLIENT_MESSAGE'],
    ['Flux: too many requests', flux('').replace('-en', '-en%2Bbusy'), DEEPGRAM, [], 429],
    ['another path', '/v1/speech', DEEPGRAM, [], 404],
  ])('refuse %s', async (_, path, headers, messages, refusal) => {
    expect(await refusalOf(path, headers, messages)).toBe(refusal);
  });
});
