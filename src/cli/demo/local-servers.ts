import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toErrorMessage } from '../output.js';
import { DemoError } from './api.js';

export interface DemoServerRequest {
  headers: IncomingHttpHeaders;
  /** Unparsed, because the signature is computed over these characters. */
  body: string;
}

export interface DemoServer {
  url: string;
  close(): void;
}

/** Answers each request with what `handle` returns, as JSON; 400 when it throws. */
export async function startDemoServer(
  host: string,
  handle: (request: DemoServerRequest) => unknown,
): Promise<DemoServer> {
  const server = createServer((request, response) => {
    read(request)
      .then((body) => [200, handle({ headers: request.headers, body })] as const)
      .catch(() => [400, { message: 'Bad Request' }] as const)
      .then(([status, answer]) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer)),
      );
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export interface ToolRequest {
  day: string;
  time: string;
}

/** The endpoint of the assistant's tool: a calendar with free appointments only. */
export class AppointmentServer {
  readonly requests: ToolRequest[] = [];
  private server: DemoServer;

  async open(host: string): Promise<string> {
    this.server = await startDemoServer(host, ({ body }) => {
      const { day, time } = JSON.parse(body) as ToolRequest;
      this.requests.push({ day, time });
      return { available: true, day, time };
    });
    return `${this.server.url}/appointments/check`;
  }

  close(): void {
    this.server.close();
  }
}

export interface VerifiedWebhook {
  callId: number;
  event: string;
  webhookId: string;
  /** Null when the signature is valid. */
  problem: string | null;
}

/** Verifies the signatures with the reference library of Standard Webhooks. */
export async function verifyWebhooks(
  secret: string,
  received: ReceivedWebhook[],
): Promise<VerifiedWebhook[]> {
  const { Webhook } = await import('standardwebhooks').catch(() => {
    throw new DemoError('The package standardwebhooks is not installed: npm install --include=dev');
  });
  const webhook = new Webhook(secret);
  return received.map(({ headers, body, callId }) => {
    const header = (name: string): string => String(headers[name] ?? '');
    const seen = { callId, event: header('webhook-event'), webhookId: header('webhook-id') };
    try {
      webhook.verify(body, {
        'webhook-id': header('webhook-id'),
        'webhook-timestamp': header('webhook-timestamp'),
        'webhook-signature': header('webhook-signature'),
      });
      return { ...seen, problem: null };
    } catch (error) {
      return { ...seen, problem: toErrorMessage(error) };
    }
  });
}

export interface ReceivedWebhook extends DemoServerRequest {
  callId: number;
}

/** Receives the webhooks of finished calls. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  private server: DemoServer;

  async open(host: string): Promise<string> {
    this.server = await startDemoServer(host, (request) => {
      const { id } = JSON.parse(request.body) as { id: number };
      this.received.push({ ...request, callId: id });
      return { received: true };
    });
    return `${this.server.url}/webhooks/calls`;
  }

  hasWebhookOf(callId: number): boolean {
    return this.received.some((webhook) => webhook.callId === callId);
  }

  close(): void {
    this.server.close();
  }
}
