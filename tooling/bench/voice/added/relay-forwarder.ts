/** The peer of the relay line: passes the customer's words to the model, and each delta to the customer. */
import { createServer } from 'node:http';
import { collectDefaultMetrics, register } from 'prom-client';
import { WebSocketServer, type WebSocket } from 'ws';

const MODEL_URL = `${process.env['FORWARD_TO'] ?? ''}/v1/chat/completions`;
const END = 'data: [DONE]';

interface Chunk {
  choices: { delta: { content?: string } }[];
}

async function respond(socket: WebSocket, content: string): Promise<void> {
  const say = (token: string, last: boolean) => socket.send(JSON.stringify({ type: 'text', token, last }));
  const body = JSON.stringify({ model: 'peer', stream: true, messages: [{ role: 'user', content }] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(MODEL_URL, { method: 'POST', headers, body });
  let unread = '';
  for await (const bytes of response.body ?? []) {
    const events = (unread + Buffer.from(bytes).toString()).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      if (event === END) continue;
      const { choices } = JSON.parse(event.slice('data: '.length)) as Chunk;
      const token = choices[0]?.delta.content;
      if (token !== undefined) say(token, false);
    }
  }
  say('', true);
}

collectDefaultMetrics();
const server = createServer((_request, response) => {
  void register.metrics().then((text) => response.end(text));
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const { type, voicePrompt } = JSON.parse(data.toString()) as { type: string; voicePrompt?: string };
    if (type === 'prompt' && voicePrompt !== undefined) void respond(socket, voicePrompt);
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
