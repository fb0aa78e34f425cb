import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer, listenLocally } from '../support/local-server.js';

const ANSWER = [
  { choices: [{ index: 0, delta: { content: 'Yes.' } }] },
  { choices: [{ index: 0, delta: {} }] },
];

/** A chat completions endpoint that records the time of each request. */
export class TimedModel {
  /** Arrival time of each request, as `performance.now()`. */
  readonly askedAt: number[] = [];
  private readonly server: Server = createServer((request, response) => this.answer(request, response));

  /** @returns `http://host:port` */
  start(): Promise<string> {
    return listenLocally(this.server);
  }

  stop(): Promise<void> {
    return closeServer(this.server);
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    // The request that opens the connection ahead of the first completion.
    if (request.method !== 'POST') return void response.writeHead(404).end();
    this.askedAt.push(performance.now());
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const chunk of ANSWER) response.write(`data: ${JSON.stringify({ id: 'c', ...chunk })}\n\n`);
    response.end('data: [DONE]\n\n');
  }
}
