import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { WebSocketServer, type WebSocket } from 'ws';
import { addressKey } from '#src/http/rate-limit/address-key.js';
import { clientAddress } from '#src/http/rate-limit/client-address.js';
import { FixedWindowCounter } from '#src/http/rate-limit/fixed-window-counter.js';
import { handshakeRefusal, isWebSocketUpgrade } from '#src/http/upgrades.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { DrainService } from '#src/health/drain.service.js';
import { WebCallLines } from './web-call-lines.js';
import { LineOpeningsService } from './line-openings.service.js';
import { WebConversationsService } from './web-conversations.service.js';

const PATH = /^\/web-calls\/([\w-]{1,200})(?:\?line=(audio|text))?$/;
/** RFC 6455: a normal end. */
const OVER = 1000;
const MAX_FRAME_BYTES = 16 * 1024;
/** Of the limit of tickets by address. */
const WINDOW_MS = 60_000;

/** Takes browsers' sockets from the HTTP server: each is the line of a web call. */
@Injectable()
export class WebCallSocketService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WebCallSocketService.name);
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  private readonly lines: WebCallLines;
  private readonly tickets: FixedWindowCounter;
  private closing = false;

  constructor(
    conversations: WebConversationsService,
    private readonly openings: LineOpeningsService,
    private readonly http: HttpAdapterHost,
    private readonly settings: RuntimeSettings,
    drain: DrainService,
  ) {
    this.lines = new WebCallLines(conversations);
    this.tickets = new FixedWindowCounter(settings.http.publicRateLimitPerMinute, WINDOW_MS);
    drain.registerCallCount(() => this.lines.count);
  }

  onApplicationBootstrap(): void {
    // A process without HTTP (a command of the CLI) has no server to listen on.
    const server: Server | undefined = this.http.httpAdapter?.getHttpServer();
    if (server) this.attach(server);
  }

  /** Runs before the database closes, so that conversations can store their last turns. */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    await this.lines.stop();
    await this.lines.moveLinesToOtherProcess();
    for (const socket of this.sockets.clients) socket.terminate();
  }

  private attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      if (!isWebSocketUpgrade(request) || !request.url?.startsWith('/web-calls/')) return;
      socket.on('error', () => socket.destroy());
      this.admit(request, socket, head).catch((error: unknown) => {
        this.logger.error(
          "The browser's socket was refused with a 500",
          error instanceof Error ? error.stack : undefined,
        );
        refuse(socket, '500 Internal Server Error');
      });
    });
    this.lines.start();
  }

  private async admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const [, token, wanted = 'audio'] = PATH.exec(request.url ?? '') ?? [];
    if (token === undefined) return refuse(socket, '404 Not Found');
    if (this.closing) return refuse(socket, '503 Service Unavailable');
    // Else the ticket would be used up by what opens no socket.
    const problem = handshakeRefusal(request);
    if (problem !== null) return refuse(socket, problem);
    const upgrade = (use: (open: WebSocket) => void): void =>
      this.sockets.handleUpgrade(request, socket, head, use);
    if (this.lines.holdsLine(token)) {
      return upgrade((open) => {
        if (!this.lines.resumeLine(token, open)) open.close();
      });
    }
    // Before the look-up: an invented ticket is a transaction.
    const address = clientAddress(request, this.settings.http.trustedProxies);
    const secondsLeft = this.tickets.count(addressKey(address));
    if (secondsLeft !== null) return refuse(socket, `429 Too Many Requests\r\nRetry-After: ${secondsLeft}`);
    const call = await this.openings.openLine(token);
    if (!call) return refuse(socket, '404 Not Found');
    if (call === 'refused') return upgrade(end);
    upgrade((open) => this.lines.openLine(call, open, wanted === 'text' ? 'text' : 'audio'));
  }
}

/** A browser learns from a frame, not from the status of the handshake, why it has no line. */
function end(open: WebSocket): void {
  open.send(JSON.stringify({ type: 'end', reason: 'busy' }));
  open.close(OVER);
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
