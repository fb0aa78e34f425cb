import type { WebSocket, WebSocketServer } from 'ws';
import { Logger } from '@nestjs/common';
import { runWithLogContext } from '#src/common/logging/log-context.js';
import type { CarrierGatewayService } from '../carrier-gateway.service.js';
import { RelayCallSession } from './relay-call-session.js';

const INTERVAL_MS = 25_000;

/** Closes sockets whose peer stopped answering, so that the conversation is notified. */
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

/** After `end` the carrier closes the socket itself; one that does not is closed after this time. */
const CLOSE_GRACE_MS = 5_000;
const SETTLE_LIMIT_MS = 5_000;

interface Line {
  socket: WebSocket;
  over: Promise<void>;
}

/** The open sessions of this process: one per token, ended before the next one begins. */
export class RelayConnections {
  private readonly logger = new Logger(RelayConnections.name);
  private readonly lines = new Map<string, Line>();

  constructor(private readonly gateway: CarrierGatewayService) {}

  /** A second socket for a token replaces the first one, which the carrier has given up. */
  hold(token: string, socket: WebSocket): void {
    const earlier = this.lines.get(token);
    earlier?.socket.terminate();
    const session = new RelayCallSession(socket);
    const line: Line = {
      socket,
      over: runWithLogContext({}, () => this.converse(token, session, earlier?.over)),
    };
    this.lines.set(token, line);
    void line.over.then(() => {
      if (this.lines.get(token) === line) this.lines.delete(token);
      if (session.ended) setTimeout(() => socket.close(1000), CLOSE_GRACE_MS).unref();
      else socket.close(1000);
    });
  }

  /** Resolves when every conversation is over, after 5 s at the latest. */
  async settled(): Promise<void> {
    const all = Promise.all([...this.lines.values()].map((line) => line.over));
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, SETTLE_LIMIT_MS)));
    await Promise.race([all, limit]);
    clearTimeout(timer);
  }

  private async converse(
    token: string,
    session: RelayCallSession,
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    await earlier;
    try {
      await this.gateway.calls.converse(token, session);
    } catch (error) {
      this.logger.error('A conversation failed', error instanceof Error ? error.stack : undefined);
    }
  }
}
