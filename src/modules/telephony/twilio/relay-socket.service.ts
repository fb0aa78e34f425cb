import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { WebSocketServer, type WebSocket } from 'ws';
import { DrainService } from '#src/health/drain.service.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import { Heartbeat, RelayConnections } from './relay-connections.js';
import { TwilioSignatureService } from './twilio-signature.service.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

const PATH = /^\/telephony\/relay\/([\w-]{1,200})(?:\/(\d{1,16}))?$/;
const MAX_FRAME_BYTES = 64 * 1024;

/** Takes the carrier's relay sockets from the HTTP server and makes each a session. */
@Injectable()
export class RelaySocketService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RelaySocketService.name);
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  private readonly heartbeat = new Heartbeat(this.sockets);
  private readonly lines: RelayConnections;
  private closing = false;

  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly signature: TwilioSignatureService,
    private readonly urls: TwilioUrlsService,
    private readonly http: HttpAdapterHost,
    drain: DrainService,
  ) {
    this.lines = new RelayConnections(gateway);
    drain.waitFor(() => this.lines.count);
  }

  onApplicationBootstrap(): void {
    // A process without HTTP (a command of the CLI) has no server to listen on.
    const server: Server | undefined = this.http.httpAdapter?.getHttpServer();
    if (server) this.attach(server);
  }

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      this.admit(request, socket, head).catch((error: unknown) => {
        this.logger.error('A socket was not admitted', error instanceof Error ? error.stack : undefined);
        refuse(socket, '500 Internal Server Error');
      });
    });
    this.heartbeat.start();
  }

  /** Runs before the database closes, so that conversations can store their last turns. */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    this.heartbeat.stop();
    await this.lines.handOver();
    for (const socket of this.sockets.clients) socket.terminate();
  }

  private async admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const path = request.url ?? '';
    const [, token, documentAt = '0'] = PATH.exec(path) ?? [];
    if (token === undefined) return refuse(socket, '404 Not Found');
    if (!this.signature.isValid(request.headers['x-twilio-signature'], this.urls.socketUrl(path))) {
      return refuse(socket, '403 Forbidden');
    }
    if (!(await this.gateway.calls.expects(token))) return refuse(socket, '404 Not Found');
    if (this.closing) return refuse(socket, '503 Service Unavailable');
    this.sockets.handleUpgrade(request, socket, head, (open: WebSocket) => {
      this.lines.hold(token, Number(documentAt), open);
    });
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
