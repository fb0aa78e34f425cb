import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket, WebSocketServer } from 'ws';
import { Logger } from '@nestjs/common';
import { runWithLogContext } from '#src/common/logging/log-context.js';
import { pingOrTerminate } from '#src/modules/media/socket-ping.js';
import type { CarrierGatewayService } from '../carrier-gateway.service.js';
import { MediaStreamLine } from './media-stream-line.js';
import { RelayCallSession } from './relay-call-session.js';

const INTERVAL_MS = 25_000;

/** Closes sockets whose peer stopped answering, so that the conversation is notified. */
export class Heartbeat {
  private timer: NodeJS.Timeout | null = null;

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
    for (const socket of this.sockets.clients) pingOrTerminate(socket);
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

/** The call of a carrier's socket. `relay`: speech as text; `stream`: audio. */
export interface SocketTarget {
  kind: 'relay' | 'stream';
  token: string;
  /** As in `CarrierCallHandler.runConversation`. */
  documentAt: number;
}

interface CarrierLine {
  session: RelayCallSession | MediaStreamLine;
  target: SocketTarget;
  over: Promise<void>;
}

/** The open sessions of this process: one per token, ended before the next one begins. */
export class CarrierConnections {
  private readonly logger = new Logger(CarrierConnections.name);
  private readonly lines = new Map<string, CarrierLine>();

  constructor(private readonly gateway: CarrierGatewayService) {}

  /**
   * A second socket of the same document is its session's; that of another document replaces the session, which the
   * carrier has given up.
   */
  addSocket(target: SocketTarget, socket: WebSocket): void {
    const { kind, token } = target;
    const earlier = this.lines.get(token);
    if (earlier?.session.open && isSameDocument(earlier.target, target))
      return earlier.session.resume(socket);
    earlier?.session.close();
    earlier?.session.hangUp(0);
    const session = kind === 'relay' ? new RelayCallSession(socket) : new MediaStreamLine(socket);
    const line: CarrierLine = {
      session,
      target,
      over: runWithLogContext({}, () => this.run(target, session, earlier?.over)),
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
  async moveCallsToOtherProcess(): Promise<void> {
    const lines = [...this.lines.values()];
    await Promise.all(lines.map(({ session }) => session.moveToOtherProcess(SPEECH_LIMIT_MS)));
    const all = Promise.all(lines.map(({ over }) => over));
    await Promise.race([all, sleep(SETTLE_LIMIT_MS, undefined, { ref: false })]);
  }

  private async run(
    target: SocketTarget,
    session: CarrierLine['session'],
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    await earlier;
    try {
      await this.converse(target, session);
    } catch (error) {
      this.logger.error(
        'The conversation failed; call reconciliation ends the call',
        error instanceof Error ? error.stack : undefined,
      );
    }
  }

  private async converse(
    { token, documentAt }: SocketTarget,
    session: CarrierLine['session'],
  ): Promise<void> {
    const { calls } = this.gateway;
    if (session instanceof RelayCallSession) return calls.runConversation(token, session, documentAt);
    if (await session.started) await calls.runAudioConversation(token, session, documentAt);
  }
}

const isSameDocument = (one: SocketTarget, other: SocketTarget): boolean =>
  one.kind === other.kind && one.documentAt === other.documentAt;
