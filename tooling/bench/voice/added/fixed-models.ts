import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { readWav } from '../../../sandbox/model/wav.js';
import { callIn, customerName, questionOf } from '../../support/customer-names.js';
import { closeServer, listenLocally } from '../../support/local-server.js';
import { callOfVoice, toTelephone } from './call-voices.js';
import { FixedRealtimeModel } from './fixed-realtime-model.js';
import type { TurnLatencies } from './turn-latencies.js';

const TRANSCRIPT_MS = 200;
const FIRST_DELTA_MS = 150;
const FIRST_AUDIO_MS = 100;

/** 100 ms of 16-bit audio at 24 kHz, a tone of 500 Hz. */
const TONE = Buffer.from(
  Int16Array.from({ length: 2_400 }, (_, at) => (at % 48 < 24 ? 8_000 : -8_000)).buffer,
);
/** A second of speech, sent five times as fast as it is played. */
const PIECES = 10;
const PIECE_MS = 20;

/** A call that the service looks up at the carrier. */
const CALL = /\/Calls\/(CA[0-9a-f]{32})\.json$/;

/**
 * Endpoints of a chat model, a transcriber, a synthesizer and a realtime model with fixed delays, and of a carrier that
 * has every call in progress.
 */
export class FixedModels {
  private readonly server = createServer(
    (request, response) => void this.answer(request, response).catch(() => response.destroy()),
  );
  private readonly sockets = new WebSocketServer({ server: this.server, perMessageDeflate: false });

  /** @param calls latencies of each call, by its number */
  constructor(private readonly calls: readonly TurnLatencies[]) {
    this.sockets.on('connection', (socket) => new FixedRealtimeModel(socket, calls));
  }

  /** @returns `http://host:port` */
  start(): Promise<string> {
    return listenLocally(this.server);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    await closeServer(this.server);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const arrivedAt = performance.now();
    if (request.url === '/v1/audio/transcriptions') return this.transcribe(body, arrivedAt, response);
    if (request.url === '/v1/chat/completions') return this.complete(String(body), arrivedAt, response);
    if (request.url === '/v1/audio/speech') return this.speak(String(body), arrivedAt, response);
    const sid = CALL.exec(request.url ?? '')?.[1];
    if (request.method === 'GET' && sid !== undefined)
      return void response.end(JSON.stringify(callJson(sid)));
    // The request that opens the connection ahead of the first completion.
    response.writeHead(404).end();
  }

  /** The end of the turn was decided by silence: the request is the stimulus. */
  private async transcribe(body: Buffer, arrivedAt: number, response: ServerResponse): Promise<void> {
    const { samples, sampleRate } = readWav(body.subarray(body.indexOf('RIFF')));
    const call = callOfVoice(toTelephone(samples, sampleRate));
    this.calls[call]?.stimulate(arrivedAt);
    await sleep(TRANSCRIPT_MS);
    this.calls[call]?.answer(arrivedAt);
    const text = questionOf(customerName(call));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ text }));
  }

  private async complete(body: string, arrivedAt: number, response: ServerResponse): Promise<void> {
    const call = callIn(body);
    await sleep(FIRST_DELTA_MS);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    this.find(call)?.answer(arrivedAt);
    const words = call === undefined ? ['Hello.'] : ['It ', 'is ', 'ready, ', `${customerName(call)}.`];
    const deltas = words.map((content) => chunkOf({ delta: { content } }));
    response.end([...deltas, chunkOf({ delta: {}, finish_reason: 'stop' }), 'data: [DONE]\n\n'].join(''));
  }

  private async speak(body: string, arrivedAt: number, response: ServerResponse): Promise<void> {
    await sleep(FIRST_AUDIO_MS);
    response.writeHead(200, { 'Content-Type': 'audio/pcm' });
    this.find(callIn(body))?.answer(arrivedAt);
    for (let piece = 0; piece < PIECES; piece++) {
      response.write(TONE);
      await sleep(PIECE_MS);
    }
    response.end();
  }

  private find(call: number | undefined): TurnLatencies | undefined {
    return call === undefined ? undefined : this.calls[call];
  }
}

const callJson = (sid: string) => ({ sid, status: 'in-progress', date_created: new Date().toUTCString() });

const chunkOf = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`;
