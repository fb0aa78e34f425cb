import { setTimeout as sleep } from 'node:timers/promises';
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

/**
 * After `end` the carrier closes the socket itself; one that does not is closed after this time. So is one whose
 * conversation failed: the carrier opens it again at once.
 */
const CLOSE_GRACE_MS = 5_000;
const SETTLE_LIMIT_MS = 5_000;
/** An answer is sent within this time, as a rule. */
const SPEECH_LIMIT_MS = 3_000;

interface Line {
  session: RelayCallSession;
  documentAt: number;
  over: Promise<void>;
}

/** The open sessions of this process: one per token, ended before the next one begins. */
export class RelayConnections {
  private readonly logger = new Logger(RelayConnections.name);
  private readonly lines = new Map<string, Line>();

  constructor(private readonly gateway: CarrierGatewayService) {}

  /**
   * A second socket of the same document goes on with its session; that of another document replaces the session,
   * which the carrier has given up.
   */
  hold(token: string, documentAt: number, socket: WebSocket): void {
    const earlier = this.lines.get(token);
    if (earlier?.documentAt === documentAt && earlier.session.open) return earlier.session.resume(socket);
    earlier?.session.close();
    earlier?.session.hangUp(0);
    const session = new RelayCallSession(socket);
    const line: Line = {
      session,
      documentAt,
      over: runWithLogContext({}, () => this.converse({ token, documentAt }, session, earlier?.over)),
    };
    this.lines.set(token, line);
    void line.over.then(() => {
      if (this.lines.get(token) === line) this.lines.delete(token);
      session.hangUp(CLOSE_GRACE_MS);
    });
  }

  /** Conversations that this process holds. */
  get count(): number {
    return this.lines.size;
  }

  /** Hands every conversation over to the process that the carrier reaches next; resolves after 8 s at the latest. */
  async handOver(): Promise<void> {
    const lines = [...this.lines.values()];
    await Promise.all(lines.map(({ session }) => session.handOver(SPEECH_LIMIT_MS)));
    const all = Promise.all(lines.map(({ over }) => over));
    await Promise.race([all, sleep(SETTLE_LIMIT_MS, undefined, { ref: false })]);
  }

  private async converse(
    { token, documentAt }: { token: string; documentAt: number },
    session: RelayCallSession,
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    await earlier;
    try {
      await this.gateway.calls.converse(token, session, documentAt);
    } catch (error) {
      this.logger.error('A conversation failed', error instanceof Error ? error.stack : undefined);
    }
  }
}
