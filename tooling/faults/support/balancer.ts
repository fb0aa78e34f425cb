import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const RELAY_REQUEST = /^GET \/telephony\/(?:relay|stream)\//;

/** A TCP load balancer: each connection goes to the first target in order that accepts it. */
export class Balancer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly relays: number[];
  private turn = 0;
  private readonly withdrawn = new Set<number>();

  /** @param spread starts each time with the next target, otherwise always with the first one */
  constructor(
    private readonly ports: readonly number[],
    private readonly spread: boolean,
  ) {
    this.relays = ports.map(() => 0);
    this.server = createServer((socket) => this.accept(socket));
  }

  /** @returns its URL */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sends no new connection to this target, as before a process is stopped in a deployment. */
  withdraw(index: number): void {
    this.withdrawn.add(index);
  }

  /** Number of open sockets of calls per target. */
  openRelays(): readonly number[] {
    return [...this.relays];
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(socket: Socket): void {
    this.track(socket);
    const first = this.spread ? this.turn++ : 0;
    this.join(
      socket,
      this.ports
        .map((_, at) => (first + at) % this.ports.length)
        .filter((index) => !this.withdrawn.has(index)),
    );
  }

  private join(socket: Socket, [index, ...others]: readonly number[]): void {
    const port = index === undefined ? undefined : this.ports[index];
    if (index === undefined || port === undefined) return void socket.destroy();
    const upstream = connect(port, '127.0.0.1');
    this.track(upstream);
    const refused = (): void => this.join(socket, others);
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused);
      this.count(socket, index);
      socket.once('close', () => upstream.destroy());
      upstream.once('close', () => socket.destroy());
      socket.pipe(upstream);
      upstream.pipe(socket);
    });
  }

  private count(socket: Socket, index: number): void {
    socket.once('data', (chunk: Buffer) => {
      if (!RELAY_REQUEST.test(chunk.toString('latin1', 0, 100))) return;
      this.relays[index] = (this.relays[index] ?? 0) + 1;
      socket.once('close', () => (this.relays[index] = (this.relays[index] ?? 1) - 1));
    });
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }
}
