import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Passes connections on to a server; while it is down they are refused as by a machine that is off. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private readonly lost = new WeakSet<Socket>();
  private isDown = false;
  private answerLimit = Infinity;
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

  /** As down, but open connections only fall silent for good: nobody learns of it, as after a change of network. */
  lose(): void {
    this.isDown = true;
    for (const socket of this.sockets) {
      this.lost.add(socket);
      socket.unpipe().resume();
    }
  }

  up(): void {
    this.isDown = false;
  }

  /** From now on an answer stops after this many bytes, without an end. */
  stall(bytes: number): void {
    this.answerLimit = bytes;
  }

  /** Answers are whole again; those that stopped stay as they are. */
  flow(): void {
    this.answerLimit = Infinity;
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
        if (!this.lost.has(other)) other.destroy();
      });
    }
    let passed = 0;
    socket.on('data', () => (passed = 0));
    const stalling = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const left = this.answerLimit - passed;
        passed += chunk.length;
        if (chunk.length <= left) done(null, chunk);
        // Not done: nothing more is read.
        else stalling.push(chunk.subarray(0, Math.max(0, left)));
      },
    });
    socket.pipe(onward);
    onward.pipe(stalling).pipe(socket);
  }
}
