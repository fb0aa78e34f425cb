import type { WebSocket, WebSocketServer } from 'ws';

const INTERVAL_MS = 25_000;

/** Cuts sockets whose other side vanished without a word; the conversation then learns that its line is gone. */
export class Heartbeat {
  private timer: NodeJS.Timeout | null = null;
  private readonly unanswered = new WeakSet<WebSocket>();

  constructor(
    private readonly sockets: WebSocketServer,
    private readonly intervalMs = INTERVAL_MS,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => this.beat(), this.intervalMs).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private beat(): void {
    for (const socket of this.sockets.clients) {
      if (this.unanswered.has(socket)) {
        socket.terminate();
        continue;
      }
      this.unanswered.add(socket);
      socket.once('pong', () => this.unanswered.delete(socket));
      socket.ping();
    }
  }
}
