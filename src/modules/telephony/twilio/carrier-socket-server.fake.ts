import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { WebSocket } from 'ws';
import { partialFake } from '#src/common/partial.fake.js';
import type { DrainService } from '#src/health/drain.service.js';
import { CarrierGatewayService } from '../carrier-gateway.service.js';
import type { CarrierCallHandler } from '../carrier-reports.js';
import { fakeTelephonySettings } from '../telephony.fake.js';
import { CarrierSocketService } from './carrier-socket.service.js';
import { TwilioSignatureService } from './twilio-signature.service.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

/** The service's sockets for the carrier on a local port, and a carrier that connects to them. */
export class CarrierSocketServer {
  readonly sockets: CarrierSocketService;
  private readonly settings = fakeTelephonySettings();
  private readonly server = createServer();

  constructor(handler: CarrierCallHandler, drain: Partial<DrainService>) {
    const gateway = new CarrierGatewayService();
    gateway.setCallHandler(handler);
    this.sockets = new CarrierSocketService(
      gateway,
      new TwilioSignatureService(this.settings),
      new TwilioUrlsService(this.settings),
      new HttpAdapterHost(),
      partialFake<DrainService>(drain),
    );
    this.sockets.attach(this.server);
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.settings.publicUrl = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await this.sockets.onModuleDestroy();
    this.server.close();
  }

  /** @param signature in place of the right one */
  dial(path: string, signature?: string): WebSocket {
    const url = this.settings.publicUrl.replace('http', 'ws') + path;
    const signed = signature ?? getExpectedTwilioSignature(this.settings.authToken, url, {});
    return new WebSocket(url, { headers: { 'X-Twilio-Signature': signed } });
  }
}

/** The HTTP status with which a socket is refused. */
export async function refusalOf(socket: WebSocket): Promise<number> {
  const [, response] = await once(socket, 'unexpected-response');
  socket.on('error', () => undefined);
  socket.terminate();
  return response.statusCode;
}
