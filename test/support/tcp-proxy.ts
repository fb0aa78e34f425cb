import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to a server; while it is down they are refused as by a machine that is off. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isDown = false;
  private readonly server = createServer((socket) => this.accept(socket));

  private constructor(private readonly target: URL) {}

  static async open(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  down(): void {
    this.isDown = true;
    for (const socket of this.sockets) socket.destroy();
  }

  up(): void {
    this.isDown = false;
  }

  async close(): Promise<void> {
    this.down();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(socket: Socket): void {
    if (this.isDown) return void socket.destroy();
    const onward = connect(Number(this.target.port), this.target.hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => undefined);
      one.once('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
