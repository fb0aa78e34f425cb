import { Logger } from '@nestjs/common';
import type { WebSocket } from 'ws';
import type { CarrierGateway } from '../carrier-gateway.js';
import { RelayLeg } from './relay-leg.js';

/** After `end` the carrier closes the socket itself; one that does not is closed after this time. */
const CLOSE_GRACE_MS = 5_000;
const SETTLE_LIMIT_MS = 5_000;

interface Line {
  socket: WebSocket;
  over: Promise<void>;
}

/** The open lines of this process: one conversation a token, ended before the next one begins. */
export class RelayLines {
  private readonly logger = new Logger(RelayLines.name);
  private readonly lines = new Map<string, Line>();

  constructor(private readonly gateway: CarrierGateway) {}

  /** A second socket for a token means that the carrier gave the first one up. */
  hold(token: string, socket: WebSocket): void {
    const earlier = this.lines.get(token);
    earlier?.socket.terminate();
    const leg = new RelayLeg(socket);
    const line: Line = { socket, over: this.converse(token, leg, earlier?.over) };
    this.lines.set(token, line);
    void line.over.then(() => {
      if (this.lines.get(token) === line) this.lines.delete(token);
      if (leg.ended) setTimeout(() => socket.close(1000), CLOSE_GRACE_MS).unref();
      else socket.close(1000);
    });
  }

  /** Resolves when every conversation is over, after 5 s at the latest. */
  async settled(): Promise<void> {
    const all = Promise.all([...this.lines.values()].map((line) => line.over));
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, SETTLE_LIMIT_MS)));
    await Promise.race([all, limit]);
    clearTimeout(timer);
  }

  private async converse(token: string, leg: RelayLeg, earlier: Promise<void> | undefined): Promise<void> {
    await earlier;
    try {
      await this.gateway.calls.converse(token, leg);
    } catch (error) {
      this.logger.error('A conversation failed', error instanceof Error ? error.stack : undefined);
    }
  }
}
