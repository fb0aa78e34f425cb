import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy with a fixed port for a server that changes its port when it is restarted. */
export class FixedPortProxy {
  private readonly sockets = new Set<Socket>();
  private target: URL | null = null;
  private server: Server | null = null;

  /** @returns `url` with the port of the proxy */
  async start(url: string): Promise<string> {
    this.target = new URL(url);
    this.server = createServer((socket) => this.join(socket));
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    const ours = new URL(url);
    ours.port = String((this.server.address() as AddressInfo).port);
    return ours.href;
  }

  /** With null connections are closed. */
  setTarget(url: string | null): void {
    this.target = url === null ? null : new URL(url);
    if (url === null) for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.setTarget(null);
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private join(socket: Socket): void {
    if (!this.target) return void socket.destroy();
    const upstream = connect(Number(this.target.port), this.target.hostname);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
