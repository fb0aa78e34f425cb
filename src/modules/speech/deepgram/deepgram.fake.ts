import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** Answers as Deepgram does, and keeps what it was sent. */
export class DeepgramServer {
  readonly sockets = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (
      { req }: { req: { headers: { authorization?: string } } },
      done: (ok: boolean, status?: number) => void,
    ) => {
      if (this.silent) this.unanswered.push(() => done(false));
      else done(req.headers.authorization === 'Token key', 401);
    },
  });
  readonly texts: string[] = [];
  /** Of the last connection. */
  audio: Buffer[] = [];
  connections = 0;
  url = '';
  silent = false;
  private readonly unanswered: (() => void)[] = [];
  client: WebSocket | null = null;
  private told: () => void = () => undefined;

  constructor() {
    this.sockets.on('connection', (socket, request) => {
      this.client = socket;
      this.audio = [];
      this.connections += 1;
      this.told();
      this.url = request.url ?? '';
      socket.on('message', (data, isBinary) => {
        if (isBinary) this.audio.push(data as Buffer);
        else this.texts.push(data.toString());
        this.told();
      });
    });
  }

  get bytes(): number {
    return this.audio.reduce((sum, { length }) => sum + length, 0);
  }

  get base(): string {
    return `http://127.0.0.1:${(this.sockets.address() as AddressInfo).port}/v1`;
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.told = resolve));
  }

  result(transcript: string, flags: object = {}): void {
    const message = {
      type: 'Results',
      is_final: false,
      speech_final: false,
      channel: { alternatives: [{ transcript }] },
    };
    this.client?.send(JSON.stringify({ ...message, ...flags }));
  }

  stop(): void {
    for (const refuse of this.unanswered) refuse();
    for (const client of this.sockets.clients) client.terminate();
    this.sockets.close();
  }
}
