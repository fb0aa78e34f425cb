import { createServer } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { closeServer, listenLocally } from '../support/local-server.js';
import { audioAt, deltaFrame } from './audio-frames.js';
import { STAMP_BYTES, type FrameTimes } from './frame-times.js';
import type { Pacer } from './pacer.js';

const RESPONSE = 'resp_1';

/**
 * The other end of the service's realtime sessions: it accepts every session, and speaks without a pause from the
 * first requested response. A socket at any other path than a session's speaks at once.
 */
export class RealtimeEndpoint {
  private readonly server = createServer((_request, response) => void response.writeHead(404).end());
  private readonly delta: (stamp: string) => string;
  private readonly sockets = new WebSocketServer({ server: this.server, perMessageDeflate: false });

  constructor(
    private readonly pacer: Pacer,
    /** Of the frames between service and model, in each direction. */
    private readonly times: { toModel: FrameTimes; fromModel: FrameTimes },
    frameBytes: number,
  ) {
    this.delta = deltaFrame(frameBytes, RESPONSE);
    this.sockets.on('connection', (socket, { url }) => {
      if (!url?.startsWith('/v1/realtime')) this.speak(socket);
      let speaks = false;
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) return this.times.toModel.arrived(data.toString('base64', 0, STAMP_BYTES), 0);
        const text = data.toString('latin1');
        const at = audioAt(text);
        if (at >= 0) return this.times.toModel.arrived(text, at);
        if (text.includes('"type":"session.update"')) return socket.send('{"type":"session.updated"}');
        if (speaks || !text.includes('"type":"response.create"')) return;
        speaks = true;
        const { response } = JSON.parse(text) as { response: { metadata: unknown } };
        const created = { id: RESPONSE, metadata: response.metadata };
        socket.send(JSON.stringify({ type: 'response.created', response: created }));
        this.speak(socket);
      });
    });
  }

  /** @returns `http://host:port` */
  start(): Promise<string> {
    return listenLocally(this.server);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    await closeServer(this.server);
  }

  private speak(socket: WebSocket): void {
    this.pacer.add(() => {
      if (socket.readyState === socket.OPEN) socket.send(this.delta(this.times.fromModel.stamp()));
    });
  }
}
