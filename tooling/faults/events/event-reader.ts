import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { oneOf } from '../fuzz/odd-values.js';
import type { Random } from '../support/random.js';
import type { ReaderLog, ReceivedEvent } from '../verifiers/events.js';

/** Duration of a connection. */
const SHORTEST_MS = 300;
const LONGEST_MS = 6_000;
const LONGEST_PAUSE_MS = 1_500;
const RETRY_MS = 200;

interface Received extends ReceivedEvent {
  at: number;
  /** Time of the connection. */
  since: number;
}

/** Reads the events of an account; drops the connection at random times and opens another one, to any process. */
export class EventReader {
  readonly events: Received[] = [];
  connections = 0;
  refusedAt: number | null = null;
  private isClosed = false;
  private connection = new AbortController();
  private reading: Promise<void> = Promise.resolve();
  private readonly agent = new Agent({ bodyTimeout: 0 });

  constructor(
    private readonly name: string,
    private readonly token: string,
    private readonly urls: readonly string[],
    private readonly random: Random,
  ) {}

  /** Of the last complete event; 0 for none. */
  get lastId(): number {
    return this.events.at(-1)?.id ?? 0;
  }

  start(): void {
    this.reading = this.readOn();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.connection.abort();
    await this.reading;
    await this.agent.destroy();
  }

  log(revokedAt: number): ReaderLog {
    const { name, connections, refusedAt } = this;
    const received = this.events.map(({ id, hash }) => ({ id, hash }));
    return { name, received, connections, refusedAfterMs: refusedAt === null ? null : refusedAt - revokedAt };
  }

  private async readOn(): Promise<void> {
    while (!this.isClosed && this.refusedAt === null) {
      this.connection = new AbortController();
      const lasts = SHORTEST_MS + this.random() * (LONGEST_MS - SHORTEST_MS);
      const timer = setTimeout(() => this.connection.abort(), lasts);
      // Closed by either side.
      await this.connect().catch(() => sleep(RETRY_MS));
      clearTimeout(timer);
      if (this.random() < 0.5) await sleep(this.random() * LONGEST_PAUSE_MS);
    }
  }

  private async connect(): Promise<void> {
    const url = `${oneOf(this.random, this.urls)}/api/user/calls/events`;
    const { statusCode, body } = await request(url, {
      dispatcher: this.agent,
      signal: this.connection.signal,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(this.lastId > 0 ? { 'last-event-id': String(this.lastId) } : {}),
      },
    });
    if (statusCode === 401) this.refusedAt = Date.now();
    if (statusCode !== 200) return body.dump();
    this.connections += 1;
    const since = Date.now();
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of body) {
      text += decoder.decode(bytes as Buffer, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.take(block, since);
    }
  }

  private take(block: string, since: number): void {
    const [, id, data] = /^id: (\d+)\nevent: \w+\ndata: (.*)$/.exec(block) ?? [];
    if (id === undefined || data === undefined) return;
    const hash = createHash('md5').update(data).digest('hex');
    this.events.push({ id: Number(id), hash, at: Date.now(), since });
  }
}
