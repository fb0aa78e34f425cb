import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { pick, type Random } from './random.js';
import { SENDER_HEADER } from './sender-header.js';

/** Weights of the outcomes of the first request with a `webhook-id`; later ones are accepted. */
const OUTCOMES = { take: 60, error: 20, hang: 10, reset: 10 } as const;
type ReceiverOutcome = keyof typeof OUTCOMES;

export interface ReceivedRequest {
  webhookId: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Process id; 0 without the header. */
  sender: number;
  fate: ReceiverOutcome;
  callId: number;
  channel: string;
}

/** A webhook receiver with random faults, at `/post-call` and `/inbound`; verifies every signature. */
export class FaultyReceiver {
  /** In order of arrival. */
  readonly requests: ReceivedRequest[] = [];
  readonly fates: Partial<Record<ReceiverOutcome, number>> = {};
  readonly problems: string[] = [];
  /** By assistant id. */
  readonly secrets = new Map<number, string>();
  private readonly seen = new Set<string>();
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => this.receive(request, response, Buffer.concat(chunks).toString()));
    request.on('error', () => undefined);
  });

  constructor(private readonly random: Random) {}

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private receive(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { id, assistant_id } = JSON.parse(text) as { id?: number; assistant_id: number };
    const headers = request.headers as Record<string, string>;
    const webhookId = headers['webhook-id'] ?? '';
    try {
      new Webhook(this.secrets.get(assistant_id) ?? '').verify(text, headers);
    } catch {
      this.problems.push(`${webhookId} is not signed as it should be`);
    }
    // The request before an inbound call: it is sent once, and its response is optional.
    if (headers['webhook-event'] === 'call.inbound') return void response.end('{}');
    const fate = this.seen.has(webhookId) ? 'take' : pick(this.random, OUTCOMES);
    this.seen.add(webhookId);
    this.fates[fate] = (this.fates[fate] ?? 0) + 1;
    const channel = (request.url ?? '').slice(1);
    const sender = Number(headers[SENDER_HEADER] ?? 0);
    this.requests.push({ webhookId, at: Date.now(), sender, fate, callId: id ?? 0, channel });
    if (fate === 'hang') return;
    if (fate === 'reset') return void request.socket.destroy();
    if (fate === 'error') return void response.writeHead(500).end('try again');
    response.end('{"ok":true}');
  }
}
