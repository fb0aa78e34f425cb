import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import type { Transcriber, TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { DeepgramServer } from './deepgram.fake.js';
import { DeepgramTranscriberService } from './deepgram-transcriber.service.js';
import { FluxTranscriberService } from './flux-transcriber.service.js';

const FRAME = 160;
/** Frames of 20 ms in a second. */
const SECOND = 50;
const FINAL = { is_final: true };

let server: DeepgramServer;
let stream: TranscriptionStream;
let events: TranscriptionEvent[];
let told: () => void;

beforeEach(async () => {
  server = new DeepgramServer();
  events = [];
  told = () => undefined;
  await once(server.sockets, 'listening');
});
afterEach(() => {
  stream.close();
  server.stop();
});

async function open(
  service: Transcriber = new DeepgramTranscriberService(),
  format = 'pcmu-8000' as const,
): Promise<void> {
  const provider = { baseUrl: server.base, apiKey: 'key', model: 'any' };
  const options = {
    provider,
    format,
    language: 'en-US',
    endOfTurnSilenceMs: 600,
    endpointType: 'vad' as const,
  };
  stream = service.open(options, (event) => {
    events.push(event);
    told();
  });
  await once(server.sockets, 'connection');
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => (told = resolve));
}

const finals = (): string[] => events.flatMap((event) => (event.kind === 'final' ? [event.text] : []));
const partials = (): number => events.filter(({ kind }) => kind === 'partial').length;

/** What the server sends has arrived, in order. */
async function arrived(): Promise<void> {
  const { client } = server;
  if (!client) return;
  const pong = once(client, 'pong');
  client.ping();
  await pong;
}

/** Numbers the frames, so that they can be told apart. */
function speak(frames: number, first = 0): void {
  for (let index = 0; index < frames; index += 1) stream.write(Buffer.alloc(FRAME, first + index));
}

const framesOf = (audio: readonly Buffer[]): number[] => audio.map((frame) => frame[0] ?? -1);

describe('a socket of Deepgram that breaks while the customer speaks', () => {
  it('is replaced, and the audio without a final transcript is transcribed again', async () => {
    await open();
    speak(SECOND);
    stream.speechStarted();
    await server.until(() => server.audio.length === SECOND);
    server.result('I would like', { ...FINAL, start: 0, duration: 0.6 });
    server.result('to come', { start: 0.6, duration: 0.4 });
    await until(() => partials() === 2);
    server.client?.terminate();
    await server.until(() => server.connections === 2);
    speak(10, SECOND);
    await server.until(() => server.audio.length === 30);
    expect(framesOf(server.audio)).toEqual(Array.from({ length: 30 }, (_, index) => 30 + index));
    server.result('to come on Monday.', { ...FINAL, start: 0, duration: 0.6 });
    await until(() => partials() === 3);
    stream.speechEnded();
    await until(() => finals().length === 1);
    expect(finals()).toEqual(['I would like to come on Monday.']);
    expect(events.some(({ kind }) => kind === 'failed')).toBe(false);
  });

  it('counts the seconds of each socket from its beginning', async () => {
    await open();
    speak(SECOND);
    await server.until(() => server.audio.length === SECOND);
    server.result('One', { ...FINAL, start: 0, duration: 0.8 });
    await until(() => partials() === 1);
    server.client?.terminate();
    await server.until(() => server.connections === 2 && server.audio.length === 10);
    server.result('two', { ...FINAL, start: 0, duration: 0.1 });
    await until(() => partials() === 2);
    server.client?.terminate();
    await server.until(() => server.connections === 3 && server.audio.length === 5);
    expect(framesOf(server.audio)).toEqual([45, 46, 47, 48, 49]);
  });

  it('replays at most 8 s', async () => {
    await open();
    speak(20 * SECOND);
    await server.until(() => server.audio.length === 20 * SECOND);
    server.client?.terminate();
    await server.until(() => server.connections === 2 && server.audio.length >= 8 * SECOND);
    await arrived();
    expect(server.audio).toHaveLength(8 * SECOND);
  });

  it('fails when it breaks again and again, with the words that are known', async () => {
    await open();
    server.result('I would like', FINAL);
    await until(() => partials() === 1);
    server.sockets.on('connection', (socket) => socket.terminate());
    server.client?.terminate();
    await until(() => events.some(({ kind }) => kind === 'failed'));
    expect(server.connections).toBe(3);
    expect(events.slice(-2)).toMatchObject([
      { kind: 'final', text: 'I would like' },
      { kind: 'failed', error: { retryable: true } },
    ]);
  });
});

it.each([
  ['Deepgram', new DeepgramTranscriberService(), { type: 'Results', is_final: false }],
  ['Flux, which says that it is connected', new FluxTranscriberService(), { type: 'Connected' }],
  ['Flux', new FluxTranscriberService(), { type: 'TurnInfo', event: 'Update', transcript: '' }],
])('a socket of %s that breaks each time before a word fails', async (_, service, message) => {
  const broken: WebSocket[] = [];
  server.sockets.on('connection', (socket) => {
    broken.push(socket);
    if (broken.length > 4) return;
    socket.send(JSON.stringify(message), () => socket.close());
  });
  await open(service);
  await until(() => events.length > 0);
  expect(events).toMatchObject([{ kind: 'failed', error: { retryable: true } }]);
  expect(broken).toHaveLength(3);
});
