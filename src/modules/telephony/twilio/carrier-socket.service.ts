import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { WebSocketServer, type WebSocket } from 'ws';
import { respondWithoutUpgrade, handshakeRefusal, isWebSocketUpgrade } from '#src/http/upgrades.js';
import { DrainService } from '#src/health/drain.service.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import { CarrierConnections, Heartbeat, type SocketTarget } from './carrier-connections.js';
import { TwilioSignatureService } from './twilio-signature.service.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

const PATH = /^\/telephony\/(relay|stream)\/([\w-]{1,200})(?:\/(\d{1,16}))?$/;
const MAX_FRAME_BYTES = 64 * 1024;

/** Takes the carrier's sockets from the HTTP server: relays become call sessions, media streams audio lines. */
@Injectable()
export class CarrierSocketService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CarrierSocketService.name);
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  private readonly heartbeat = new Heartbeat(this.sockets);
  private readonly lines: CarrierConnections;
  private closing = false;

  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly signature: TwilioSignatureService,
    private readonly urls: TwilioUrlsService,
    private readonly http: HttpAdapterHost,
    drain: DrainService,
  ) {
    this.lines = new CarrierConnections(gateway);
    drain.registerCallCount(() => this.lines.count);
  }

  onApplicationBootstrap(): void {
    // A process without HTTP (a command of the CLI) has no server to listen on.
    const server: Server | undefined = this.http.httpAdapter?.getHttpServer();
    if (server) this.attach(server);
  }

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      // The only listener for every upgrade, so it also refuses those of unknown paths.
      if (!isWebSocketUpgrade(request)) return respondWithoutUpgrade(server, request, socket, head);
      // Browsers' sockets have a listener of their own.
      if (request.url?.startsWith('/web-calls/')) return;
      socket.on('error', () => socket.destroy());
      this.admit(request, socket, head).catch((error: unknown) => {
        this.logger.error(
          "The carrier's socket was refused with a 500",
          error instanceof Error ? error.stack : undefined,
        );
        refuse(socket, '500 Internal Server Error');
      });
    });
    this.heartbeat.start();
  }

  /** Runs before the database closes, so that conversations can store their last turns. */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    this.heartbeat.stop();
    await this.lines.moveCallsToOtherProcess();
    for (const socket of this.sockets.clients) socket.terminate();
  }

  private async admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const path = request.url ?? '';
    const target = targetOf(path);
    if (target === null) return refuse(socket, '404 Not Found');
    const problem = handshakeRefusal(request);
    if (problem !== null) return refuse(socket, problem);
    if (!this.signature.isValid(request.headers['x-twilio-signature'], this.urls.socketUrl(path))) {
      return refuse(socket, '403 Forbidden');
    }
    if (!(await this.gateway.calls.expectsSocket(target.token))) return refuse(socket, '404 Not Found');
    if (this.closing) return refuse(socket, '503 Service Unavailable');
    this.sockets.handleUpgrade(request, socket, head, (open: WebSocket) =>
      this.lines.addSocket(target, open),
    );
  }
}

function targetOf(path: string): SocketTarget | null {
  const [, kind, token, documentAt = '0'] = PATH.exec(path) ?? [];
  if (token === undefined) return null;
  return { kind: kind === 'stream' ? 'stream' : 'relay', token, documentAt: Number(documentAt) };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
