import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendReply, forward, startProxy, type Exchange, type Proxy, type Reply } from './forward.js';
import { pick, type Random } from './random.js';

/** Outcomes of requests to the carrier, with their weights. */
export const NO_FAULTS = { pass: 1 } as const;
export const SMS_FAULTS = {
  pass: 50,
  /** Refused, not sent. */
  refuse: 8,
  /** 5xx, not sent. */
  failBefore: 8,
  /** 5xx, but sent. */
  failAfter: 8,
  /** The connection breaks, not sent. */
  cutBefore: 8,
  /** The connection breaks, but sent. */
  cutAfter: 8,
  /** No response. */
  hangAfter: 4,
  /** No response, and the carrier's list omits the message until its report. */
  hide: 6,
} as const;

/** For calls, with a high weight of ambiguous outcomes. */
export const CALL_FAULTS = {
  pass: 70,
  refuse: 6,
  failAfter: 6,
  cutBefore: 6,
  cutAfter: 6,
  hangAfter: 6,
} as const;

/** For thousands of calls: one with an ambiguous outcome holds its slot for the ring time. */
export const RARE_CALL_FAULTS = { ...CALL_FAULTS, pass: 170 } as const;

/** For purchases of numbers: most responses are lost or wrong. */
export const NUMBER_FAULTS = {
  pass: 20,
  refuse: 6,
  failBefore: 6,
  failAfter: 20,
  cutBefore: 6,
  cutAfter: 20,
  hangAfter: 6,
} as const;

export type CarrierOutcome = keyof typeof SMS_FAULTS;
type Weights = Partial<Record<CarrierOutcome, number>>;

const ERROR = {
  status: 500,
  body: JSON.stringify({ code: 20500, message: 'Internal Server Error', status: 500 }),
};
const BUSY = {
  status: 429,
  body: JSON.stringify({ code: 20429, message: 'Too Many Requests', status: 429 }),
};

/** Error codes of the carrier for refused requests. */
const OUTAGES = { 401: 20003, 429: 20429, 503: 20503 } as const;
export type OutageStatus = keyof typeof OUTAGES;

export class FaultyCarrier {
  /** Times of the requests for calls, in milliseconds since the epoch, oldest first. */
  readonly callRequests: number[] = [];
  /** Delay of a request before the carrier processes it. */
  delayMs = 0;
  /** The response to every request; null: the carrier works. */
  outage: OutageStatus | null = null;
  /** Identifiers of messages that lists omit. */
  readonly hidden = new Set<string>();
  readonly fates: Partial<Record<CarrierOutcome, number>> = {};
  private weights: Weights = NO_FAULTS;
  private proxy: Proxy | null = null;

  constructor(
    private readonly carrierUrl: string,
    private readonly random: Random,
  ) {}

  async start(): Promise<string> {
    this.proxy = await startProxy((exchange, response) => this.handle(exchange, response));
    return this.proxy.url;
  }

  use(weights: Weights): void {
    this.weights = weights;
  }

  async close(): Promise<void> {
    await this.proxy?.close();
  }

  private async handle(exchange: Exchange, response: ServerResponse): Promise<void> {
    if (exchange.method === 'POST' && exchange.path.endsWith('/Calls.json'))
      this.callRequests.push(Date.now());
    if (this.outage !== null) return sendReply(response, refusal(this.outage));
    if (this.delayMs > 0 && exchange.method === 'POST') await sleep(this.delayMs);
    if (exchange.method === 'GET') return this.list(exchange, response);
    const fate = pick(this.random, this.weights as Record<CarrierOutcome, number>);
    this.fates[fate] = (this.fates[fate] ?? 0) + 1;
    if (fate === 'refuse') return sendReply(response, BUSY);
    if (fate === 'failBefore') return sendReply(response, ERROR);
    if (fate === 'cutBefore') return void response.destroy();
    const reply = await forward(this.carrierUrl, exchange);
    if (fate === 'pass') return sendReply(response, reply);
    if (fate === 'failAfter') return sendReply(response, ERROR);
    if (fate === 'hide') this.hidden.add((JSON.parse(reply.body) as { sid: string }).sid);
    if (fate !== 'hangAfter') response.destroy();
  }

  private async list(exchange: Exchange, response: ServerResponse): Promise<void> {
    const { status, body } = await forward(this.carrierUrl, exchange);
    const page = JSON.parse(body) as { messages?: { sid: string }[] };
    page.messages = page.messages?.filter(({ sid }) => !this.hidden.has(sid));
    sendReply(response, { status, body: JSON.stringify(page) });
  }
}

function refusal(status: OutageStatus): Reply {
  const body = { code: OUTAGES[status], message: 'Refused', status };
  return { status, body: JSON.stringify(body) };
}
