import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { nameIn } from '../support/customer-names.js';
import { closeServer, listenLocally } from '../support/local-server.js';

const ANSWER = 'Your bicycle is ready, and you can collect it tomorrow from ten on.';
const TOKEN_MS = 20;

export interface EndpointListener {
  /** A question of this customer arrived. */
  requestArrived(name: string): void;
  /** Its response begins. */
  responseBegan(name: string): void;
}

/** A chat completions endpoint that responds to every question with the same sentence, word by word. */
export class ChatEndpoint {
  private readonly server = createServer(
    (request, response) => void this.answer(request, response).catch(() => response.destroy()),
  );

  constructor(private readonly on: EndpointListener) {}

  /** @returns `http://host:port` */
  start(): Promise<string> {
    return listenLocally(this.server);
  }

  stop(): Promise<void> {
    return closeServer(this.server);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = nameIn(await textOf(request));
    // The request that opens the connection ahead of the first completion.
    if (name === undefined) return void response.writeHead(404).end();
    this.on.requestArrived(name);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const words = ANSWER.match(/\S+\s*/g) ?? [];
    const next = (): void => {
      const content = words.shift();
      if (content === undefined) return void response.end('data: [DONE]\n\n');
      response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })}\n\n`);
      setTimeout(next, TOKEN_MS);
    };
    this.on.responseBegan(name);
    next();
  }
}
