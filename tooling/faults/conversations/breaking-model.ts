import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Random } from '../support/random.js';

const SESSION = /^GET \/v1\/realtime/;
/** Most sessions break in the first sentences; the others hold. */
const BREAKING_SHARE = 0.7;
const FIRST_MS = 1_000;
const LAST_MS = 30_000;

/** A TCP proxy before the models that resets sessions of the realtime model at random moments. */
export class BreakingModel {
  /** Sessions that were reset. */
  broken = 0;
  private readonly server: Server = createServer((socket) => this.join(socket));
  private readonly sockets = new Set<Socket>();
  private target: URL | null = null;

  constructor(private readonly random: Random) {}

  /** @returns its URL */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Until then connections are refused. */
  leadTo(url: string): void {
    this.target = new URL(url);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(socket: Socket): void {
    socket.on('error', () => undefined);
    if (!this.target) return void socket.destroy();
    const upstream = connect(Number(this.target.port), this.target.hostname);
    upstream.on('error', () => undefined);
    for (const one of [socket, upstream]) {
      this.sockets.add(one);
      one.once('close', () => {
        this.sockets.delete(one);
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.once('data', (chunk: Buffer) => {
      if (SESSION.test(chunk.toString('latin1', 0, 100))) this.breakLater(socket);
    });
    socket.pipe(upstream);
    upstream.pipe(socket);
  }

  private breakLater(socket: Socket): void {
    if (this.random() > BREAKING_SHARE) return;
    const timer = setTimeout(
      () => {
        this.broken += 1;
        socket.resetAndDestroy();
      },
      FIRST_MS + this.random() * (LAST_MS - FIRST_MS),
    );
    socket.once('close', () => clearTimeout(timer));
  }
}
