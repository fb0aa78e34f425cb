import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { SpeechDecoder } from '../../tooling/sandbox/speech/speech-code.js';

/** µ-law at 8 kHz. */
const BYTES_PER_SECOND = 8_000;
const PAUSE_MS = 300;

/** Deepgram's streaming transcription of the sandbox's callees; it finds no ends of utterances by itself. */
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

/** A part of an utterance is final after a pause. `Finalize` has an answer only where words are left. */
function transcribe(socket: WebSocket): void {
  const decoder = new SpeechDecoder();
  let words = '';
  let seconds = 0;
  let start = 0;
  const report = (flags: object): void => {
    const channel = { alternatives: [{ transcript: words }] };
    socket.send(
      JSON.stringify({
        type: 'Results',
        channel,
        is_final: true,
        start,
        duration: seconds - start,
        ...flags,
      }),
    );
    words = '';
    start = seconds;
  };
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      if (data.toString().includes('Finalize') && words !== '') report({ from_finalize: true });
      return;
    }
    words += decoder.push(data);
    seconds += data.length / BYTES_PER_SECOND;
    if (words !== '' && decoder.silentMs >= PAUSE_MS) report({ speech_final: false });
  });
}
