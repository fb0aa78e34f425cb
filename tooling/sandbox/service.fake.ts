import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import twilio from 'twilio';
import { WebSocketServer, type WebSocket } from 'ws';

export interface ReceivedWebhook {
  path: string;
  params: Record<string, string>;
  /** Validated by the carrier's own library. */
  signed: boolean;
}

export interface ReceivedSocket {
  path: string;
  signed: boolean;
}

export interface RelayAttributes {
  [attribute: string]: string;
}

type Frame = Record<string, unknown> & { type: string };
type Talk = (frame: Frame, socket: WebSocket) => void;

/** A minimal customer of the carrier: responds to webhooks with documents, and talks over relay sockets. */
export class FakeService {
  readonly webhooks: ReceivedWebhook[] = [];
  readonly sockets: ReceivedSocket[] = [];
  readonly frames: Frame[] = [];
  /** Connection overrides of the action URL, with `#`. */
  overrides = '';
  /** The assistant's reaction to each frame. */
  talk: Talk = () => undefined;
  /** The document or HTTP status of a webhook's response. */
  answer: (path: string, params: Record<string, string>) => string | number = () => 204;

  private readonly server: Server = createServer((request, response) => {
    void this.take(request).then((answer) => {
      response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'text/xml' });
      response.end(typeof answer === 'string' ? answer : '');
    });
  });
  private readonly relay = new WebSocketServer({ server: this.server });
  private readonly waiters = new Set<() => void>();
  url = '';

  constructor(private readonly authToken: string) {}

  async start(): Promise<void> {
    this.relay.on('connection', (socket, request) => {
      const path = request.url ?? '';
      this.sockets.push({ path, signed: this.isSigned(request, this.socketUrl(path), {}) });
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as Frame;
        this.frames.push(frame);
        this.talk(frame, socket);
        this.wake();
      });
      this.wake();
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Destroys every open socket, like a killed process. */
  breakSockets(): void {
    for (const socket of this.relay.clients) socket.terminate();
  }

  async stop(): Promise<void> {
    this.breakSockets();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  socketUrl(path: string): string {
    return this.url.replace('http', 'ws') + path;
  }

  relayDocument(attributes: RelayAttributes = {}, before = ''): string {
    const all = { url: this.socketUrl('/relay/token-1'), ...attributes };
    const rendered = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    return (
      `<?xml version="1.0" encoding="UTF-8"?><Response>${before}` +
      `<Connect action="${this.url}/action/token-1${this.overrides}"><ConversationRelay ${rendered.join(' ')}>` +
      `<Language code="en-US"/><Parameter name="token" value="token-1"/></ConversationRelay></Connect></Response>`
    );
  }

  /** The first webhook that satisfies `test`; waits for it. */
  async webhook(test: (webhook: ReceivedWebhook) => boolean): Promise<ReceivedWebhook> {
    return this.until(() => this.webhooks.find(test));
  }

  async frame(test: (frame: Frame) => boolean): Promise<Frame> {
    return this.until(() => this.frames.find(test));
  }

  /** The first value that is not undefined, evaluated after each arrival. */
  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiters.add(resolve));
    }
  }

  private async take(request: IncomingMessage): Promise<string | number> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const params = Object.fromEntries(new URLSearchParams(body));
    const path = request.url ?? '';
    this.webhooks.push({ path, params, signed: this.isSigned(request, this.url + path, params) });
    const answer = this.answer(path, params);
    this.wake();
    return answer;
  }

  private isSigned(request: IncomingMessage, url: string, params: Record<string, string>): boolean {
    return twilio.validateRequest(this.authToken, String(request.headers['x-twilio-signature']), url, params);
  }

  private wake(): void {
    for (const waiter of this.waiters) waiter();
    this.waiters.clear();
  }
}

/** Sends a whole turn in one frame. */
export function sayTo(socket: WebSocket, text: string, options: Record<string, unknown> = {}): void {
  const tokens = text.match(/\S+\s*/g) ?? [];
  for (const token of tokens) {
    socket.send(JSON.stringify({ type: 'text', token, last: false, ...options }));
  }
  socket.send(JSON.stringify({ type: 'text', token: '', last: true }));
}

export function endCall(socket: WebSocket, handoffData: string): void {
  socket.send(JSON.stringify({ type: 'end', handoffData }));
}
