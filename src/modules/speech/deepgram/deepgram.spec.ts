import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { DeepgramServer } from './deepgram.fake.js';
import { DeepgramTranscriberService } from './deepgram-transcriber.service.js';

class ImpatientDeepgramService extends DeepgramTranscriberService {
  protected override readonly connectTimeoutMs = 300;
}

let server: DeepgramServer;
let stream: TranscriptionStream;
let events: TranscriptionEvent[];
let told: () => void;

beforeEach(async () => {
  server = new DeepgramServer();
  await once(server.sockets, 'listening');
  events = [];
  told = () => undefined;
});

afterEach(() => {
  stream.close();
  server.stop();
});

function open(
  changes: { apiKey?: string; baseUrl?: string } = {},
  settings: { language?: string; redacts?: boolean; endOfTurnSilenceMs?: number } = {},
): void {
  stream = new ImpatientDeepgramService().open(
    {
      provider: { baseUrl: server.base, apiKey: 'key', model: 'nova-3', ...changes },
      format: 'pcmu-8000',
      language: 'en-US',
      endOfTurnSilenceMs: 700,
      endpointType: 'vad',
      ...settings,
    },
    (event) => {
      events.push(event);
      told();
    },
  );
}

async function count(length: number): Promise<TranscriptionEvent[]> {
  while (events.length < length) await new Promise<void>((resolve) => (told = resolve));
  return events;
}

const FINAL = { is_final: true };
const END = { is_final: true, speech_final: true };

describe('DeepgramTranscriberService', () => {
  it('requests the format of the line, and sends speech from before the socket opens', async () => {
    open();
    stream.write(Buffer.alloc(160));
    stream.write(Buffer.alloc(160));
    stream.speechEnded();
    await server.until(() => server.texts.length > 0);
    expect(server.bytes).toBe(320);
    expect(server.texts).toEqual(['{"type":"Finalize"}']);
    const { pathname, searchParams } = new URL(server.url, server.base);
    expect(pathname).toBe('/v1/listen');
    expect(Object.fromEntries(searchParams)).toEqual({
      model: 'nova-3',
      language: 'en-US',
      encoding: 'mulaw',
      sample_rate: '8000',
      channels: '1',
      interim_results: 'true',
      smart_format: 'true',
      endpointing: '2500',
    });
  });

  it('lets Deepgram end no utterance in a pause of a turn, however long the pauses are that are set', async () => {
    open({}, { endOfTurnSilenceMs: 4_000 });
    await once(server.sockets, 'connection');
    expect(new URL(server.url, server.base).searchParams.get('endpointing')).toBe('4000');
  });

  it.each([
    ['en-GB', 'en-GB'],
    ['es-ES', 'es'],
    ['es-MX', 'es-419'],
    ['pt-PT', 'pt-PT'],
    ['fr-FR', 'fr'],
    ['fr-CA', 'fr-CA'],
    ['de-DE', 'de'],
    ['nb-NO', 'no'],
    ['zh-CN', 'zh-CN'],
    ['ar-SA', 'ar'],
    ['ja', 'ja'],
  ])('has the language %s transcribed as the one that Deepgram lists: %s', async (language, listed) => {
    open({}, { language });
    await once(server.sockets, 'connection');
    expect(new URL(server.url, server.base).searchParams.get('language')).toBe(listed);
  });

  it.each([
    ['en-US', true, ['pci', 'ssn', 'phone_number', 'email_address', 'account_number']],
    ['en-US', false, []],
    ['de-DE', true, []],
  ])('has numbers kept out of streams that can: %s %s', async (language, redacts, redacted) => {
    open({}, { language, redacts });
    stream.speechEnded();
    await server.until(() => server.texts.length > 0);
    const { searchParams } = new URL(server.url, server.base);
    expect(searchParams.getAll('redact')).toEqual(redacted);
    // Deepgram does not redact streams with smart formatting.
    expect(searchParams.has('smart_format')).toBe(redacted.length === 0);
  });

  it('puts the parts of an utterance together, until it has ended', async () => {
    open();
    await once(server.sockets, 'connection');
    server.result('I');
    server.result('I would', FINAL);
    server.result('like');
    server.result('like that.', END);
    server.result('', { ...FINAL, from_finalize: true });
    server.result('Thanks', { ...FINAL, from_finalize: true });
    expect(await count(5)).toEqual([
      { kind: 'partial', text: 'I' },
      { kind: 'partial', text: 'I would' },
      { kind: 'partial', text: 'I would like' },
      { kind: 'final', text: 'I would like that.' },
      { kind: 'final', text: 'Thanks' },
    ]);
  });

  it('ends an utterance whose end has no words of its own', async () => {
    open();
    await once(server.sockets, 'connection');
    server.result('Yes', FINAL);
    server.result('', END);
    expect(await count(2)).toEqual([
      { kind: 'partial', text: 'Yes' },
      { kind: 'final', text: 'Yes' },
    ]);
  });

  it('ignores messages of other kinds and those that are not understood', async () => {
    open();
    await once(server.sockets, 'connection');
    for (const message of ['{"type":"Metadata"}', 'no JSON', '[]', 'null', '{"type":"Results"}'])
      server.client?.send(message);
    server.client?.send(Buffer.from('{"type":"Results"}'), { binary: true });
    server.result('Yes', END);
    expect(await count(1)).toEqual([{ kind: 'final', text: 'Yes' }]);
  });

  it('reports that it closes the stream, and reports nothing more', async () => {
    open();
    await once(server.sockets, 'connection');
    stream.write(Buffer.alloc(160));
    await server.until(() => server.bytes > 0);
    const closed = once(server.client as WebSocket, 'close');
    stream.close();
    await closed;
    expect(server.texts).toEqual(['{"type":"CloseStream"}']);
    expect(events).toEqual([]);
  });

  it('fails permanently when the key is refused', async () => {
    open({ apiKey: 'other' });
    expect(await count(1)).toMatchObject([{ kind: 'failed', error: { status: 401, retryable: false } }]);
  });

  it.each([
    ['is away', () => open({ baseUrl: 'http://127.0.0.1:1/v1' })],
    ['does not answer', () => ((server.silent = true), open())],
    ['closes', () => (open(), server.sockets.on('connection', (socket) => socket.close(1011, 'NET-0001')))],
    [
      'sends too much',
      () => (open(), server.sockets.on('connection', (socket) => socket.send('a'.repeat(300_000)))),
    ],
  ])('fails, and may be retried, when the provider %s', async (_, begin) => {
    begin();
    expect(await count(1)).toMatchObject([{ kind: 'failed', error: { retryable: true } }]);
  });
});
