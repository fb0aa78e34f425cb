import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Random } from '../support/random.js';
import { oddValue, oneOf } from './odd-values.js';

const TYPES = [
  'error',
  'session.updated',
  'input_audio_buffer.speech_started',
  'input_audio_buffer.speech_stopped',
  'conversation.item.input_audio_transcription.delta',
  'conversation.item.input_audio_transcription.completed',
  'conversation.item.input_audio_transcription.failed',
  'response.created',
  'response.done',
  'response.output_audio.delta',
  'response.output_audio_transcript.delta',
  'response.output_item.done',
  'response.x',
  null,
];
const FIELDS = ['event_id', 'item_id', 'delta', 'transcript', 'response', 'error', 'item', 'response_id'];
const RESPONSE_FIELDS = ['id', 'status', 'usage', 'metadata', 'output'];
const ITEM_FIELDS = ['id', 'type', 'status', 'call_id', 'name', 'arguments'];
const ERROR_FIELDS = ['code', 'type', 'event_id', 'message'];
const AUDIO_SENT = /^\{"type":"input_audio_buffer.append","audio":"([^"]{1,300})"/;
const NOT_EVENTS = ['', '{', '[]', 'null', '1', '"a"', '{}', '[{"type":"error"}]'];
/** Of requested audio: the odd events arrive during speech. */
const AUDIO = Buffer.alloc(800, 0x22).toString('base64');
const KNOWN = ['item_1', 'resp_1', 'function_call', 'completed', 'call_1', 'Hello', AUDIO];

/** A realtime model with valid session starts that then sends odd events to every second session. */
export class OddModel {
  /** Odd events that were sent. */
  sent = 0;
  /** Received audio, as base64. */
  readonly heard = new Set<string>();
  private sessions = 0;
  private readonly server: Server = createServer((_request, response) => response.writeHead(404).end());
  private readonly sockets = new WebSocketServer({ server: this.server });

  constructor(
    private readonly random: Random,
    private readonly eventsPerSession: number,
  ) {
    this.sockets.on('connection', (socket) => this.open(socket));
  }

  /** @returns the base URL of its interface */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private open(socket: WebSocket): void {
    const isOdd = this.sessions++ % 2 === 1;
    socket.on('error', () => undefined);
    socket.once('message', () => {
      socket.send('{"type":"session.updated","session":{}}');
      if (isOdd) for (let left = this.eventsPerSession; left > 0; left -= 1) this.send(socket);
    });
    socket.on('message', (data) => {
      const text = String(data);
      const audio = AUDIO_SENT.exec(text)?.[1];
      if (audio !== undefined) this.heard.add(audio);
      else this.respond(socket, text);
    });
  }

  /** Responses begin, so that events about them have an effect. */
  private respond(socket: WebSocket, text: string): void {
    const name = /"name":"([\w-]+)"/.exec(text)?.[1];
    if (!text.startsWith('{"type":"response.create"') || name === undefined) return;
    const response = { id: 'resp_1', metadata: { name } };
    socket.send(JSON.stringify({ type: 'response.created', response }));
    const output = { response_id: 'resp_1', item_id: 'item_1' };
    socket.send(JSON.stringify({ type: 'response.output_audio.delta', ...output, delta: AUDIO }));
  }

  private send(socket: WebSocket): void {
    this.sent += 1;
    socket.send(oddEvent(this.random));
  }
}

function oddEvent(random: Random): string | Buffer {
  const kind = random();
  if (kind < 0.05) return Buffer.from([0, 255, 254]);
  if (kind < 0.15) return oneOf(random, NOT_EVENTS);
  const fields = oddFields(random, FIELDS);
  if (random() < 0.5) fields['response'] = oddFields(random, RESPONSE_FIELDS);
  if (random() < 0.5) fields['item'] = oddFields(random, ITEM_FIELDS);
  if (random() < 0.5) fields['error'] = oddFields(random, ERROR_FIELDS);
  return JSON.stringify({ type: oneOf(random, TYPES), ...fields });
}

const oddFields = (random: Random, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names
      .filter(() => random() < 0.7)
      .map((name) => [name, random() < 0.5 ? oneOf(random, KNOWN) : oddValue(random)]),
  );
