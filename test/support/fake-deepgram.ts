import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { SpeechDecoder } from '../../tooling/sandbox/speech/speech-code.js';

/** Deepgram's streaming transcription of the sandbox's callees; an utterance ends when the service says so. */
export class FakeDeepgram {
  private constructor(private readonly server: WebSocketServer) {
    server.on('connection', (socket) => transcribe(socket));
  }

  static async start(): Promise<FakeDeepgram> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/v1/listen' });
    await once(server, 'listening');
    return new FakeDeepgram(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    for (const socket of this.server.clients) socket.terminate();
    this.server.close();
  }
}

function transcribe(socket: WebSocket): void {
  const decoder = new SpeechDecoder();
  let words = '';
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return void (words += decoder.push(data));
    if (!data.toString().includes('Finalize')) return;
    const channel = { alternatives: [{ transcript: words }] };
    words = '';
    socket.send(JSON.stringify({ type: 'Results', channel, is_final: true, from_finalize: true }));
  });
}
