import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ModelStep } from './language-model.fake.js';

/** `raw` is a delta as the server writes it, with the finish reason. */
export type ServerStep =
  | Exclude<ModelStep, { retract: true } | { stopped: string }>
  | { raw: object; finish?: string }
  | { usage: object };
type ServerResponseScript =
  ServerStep[] | { status: number; body: object; headers?: Record<string, string> } | 'hang';
type Body = Record<string, unknown>;

/** The part of the chat completions interface that the adapter uses. */
export class OpenAiServer {
  readonly requests: Body[] = [];
  readonly authorizations: (string | undefined)[] = [];
  connections = 0;
  /** Connections that the client closed before the response was complete. */
  abandoned = 0;
  private readonly responses: ServerResponseScript[] = [];
  private readonly server: Server = createServer((request, response) => void this.respond(request, response));

  async start(): Promise<string> {
    this.server.on('connection', () => (this.connections += 1));
    this.server.keepAliveTimeout = 60_000;
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  willRespond(answer: ServerResponseScript): void {
    this.responses.push(answer);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return void response.writeHead(404).end();
    this.authorizations.push(request.headers.authorization);
    this.requests.push((await json(request)) as Body);
    response.on('close', () => (this.abandoned += response.writableFinished ? 0 : 1));
    const answer = this.responses.shift() ?? [];
    if (answer === 'hang') return;
    if (!Array.isArray(answer)) {
      response
        .writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers })
        .end(JSON.stringify(answer.body));
      return;
    }
    await stream(answer, response);
  }
}

async function stream(steps: ServerStep[], response: ServerResponse): Promise<void> {
  const write = (chunk: object) => response.write(`data: ${JSON.stringify({ id: 'c', ...chunk })}\n\n`);
  const send = (delta: object, finish?: string) =>
    write({ choices: [{ index: 0, delta, ...(finish && { finish_reason: finish }) }] });
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let calls = 0;
  for (const step of steps) {
    if (typeof step === 'string') send({ content: step });
    else if ('raw' in step) send(step.raw, step.finish);
    else if ('usage' in step) write({ choices: [], usage: step.usage });
    else if ('waitMs' in step) await pause(step.waitMs, response);
    else if ('failure' in step) return void response.destroy();
    else {
      const index = calls++;
      const [head, tail] = [(step.args ?? '{}').slice(0, 3), (step.args ?? '{}').slice(3)];
      const first = {
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name: step.call, arguments: head },
      };
      send({ tool_calls: [first] });
      send({ tool_calls: [{ index, function: { arguments: tail } }] });
    }
  }
  response.end('data: [DONE]\n\n');
}

/** Ends early when the client is gone, so that no timer outlives its test. */
function pause(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    response.once('close', () => (clearTimeout(timer), resolve()));
  });
}
