import { setTimeout as sleep } from 'node:timers/promises';
import { sendReply, forward, startProxy, type Exchange, type Proxy } from './forward.js';
import type { Random } from './random.js';

const LATEST_MS = 3_000;
const DECIDED_MS = 1_000;

/** A proxy at the public URL that forwards the carrier's reports; with faults it delays, repeats or drops them. */
export class FaultyReports {
  faults = false;
  private proxy: Proxy | null = null;
  private underWay = 0;
  private turn = 0;

  constructor(
    private readonly random: Random,
    /** Base URLs of the running processes. */
    private readonly services: () => string[],
    /** Additional delay of a report about this message, in ms. */
    private readonly heldBack: (sid: string) => number,
  ) {}

  async start(): Promise<string> {
    this.proxy = await startProxy(async (exchange, response) => {
      if (!this.faults) return sendReply(response, { status: await this.deliver(exchange, 0), body: '' });
      sendReply(response, { status: 204, body: '' });
      await this.deliverWithFaults(exchange);
    });
    return this.proxy.url;
  }

  private async deliverWithFaults(exchange: Exchange): Promise<void> {
    this.underWay++;
    try {
      // The report may arrive before the proxy decides whether lists omit its message.
      await sleep(DECIDED_MS);
      const held = this.heldBack(new URLSearchParams(exchange.body).get('MessageSid') ?? '');
      // Delayed reports are not dropped: they are the only evidence of a message that lists omit.
      if (held === 0 && this.random() < 0.1) return;
      const late = held + (this.random() < 0.5 ? this.random() * LATEST_MS : 0);
      const twice = this.random() < 0.2;
      await Promise.all([this.deliver(exchange, late), twice ? this.deliver(exchange, late + 100) : null]);
    } finally {
      this.underWay--;
    }
  }

  /** True when no report is delayed. */
  get idle(): boolean {
    return this.underWay === 0;
  }

  async close(): Promise<void> {
    await this.proxy?.close();
  }

  /** Uses the next process when one is down. */
  private async deliver(exchange: Exchange, afterMs: number): Promise<number> {
    this.underWay++;
    try {
      await sleep(afterMs);
      for (let attempt = 0; attempt < 20; attempt++) {
        const services = this.services();
        const service = services[this.turn++ % services.length];
        const reply = service ? await forward(service, exchange).catch(() => null) : null;
        if (reply && reply.status < 500) return reply.status;
        await sleep(250);
      }
      return 502;
    } finally {
      this.underWay--;
    }
  }
}
