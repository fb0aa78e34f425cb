import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { leadBody } from '../rest/bodies.js';
import type { BenchAccount } from '../support/account.js';
import { shoot, type Shot } from '../support/load.js';

const CONNECTIONS = 16;

/** While what its requests are answered; null: not measured. */
export type Phase = 'quiet' | 'pass' | null;

/** Another account, which sends requests at a constant pace, whether the ones before are answered or not. */
export class Neighbour {
  phase: Phase = null;
  private readonly taken = { quiet: [] as number[], pass: [] as number[] };
  private readonly http: Pool;
  private sent = 0;
  private isStopped = false;
  private failure: unknown = null;
  private readonly running: Promise<void>;

  constructor(
    url: string,
    private readonly account: BenchAccount & { campaignId: number; callIds: readonly number[] },
    private readonly perSecond: number,
  ) {
    this.http = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
    this.running = this.send();
  }

  /** Times in ms from the moment at which a request was to be sent. */
  times(phase: 'quiet' | 'pass'): readonly number[] {
    return this.taken[phase];
  }

  /** @throws when a request failed */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
    await this.http.close();
    if (this.failure !== null) throw this.failure;
  }

  private async send(): Promise<void> {
    const began = performance.now();
    const open = new Set<Promise<void>>();
    while (!this.isStopped) {
      const due = began + (this.sent * 1000) / this.perSecond;
      const request = this.measure(due, this.next(this.sent++)).finally(() => open.delete(request));
      open.add(request);
      await sleep(Math.max(0, began + (this.sent * 1000) / this.perSecond - performance.now()));
    }
    await Promise.all(open);
  }

  private async measure(due: number, shot: Shot): Promise<void> {
    const { phase } = this;
    try {
      await shoot(this.http, shot);
      if (phase !== null) this.taken[phase].push(performance.now() - due);
    } catch (error) {
      this.failure ??= error;
    }
  }

  private next(number: number): Shot {
    const { headers, campaignId, callIds } = this.account;
    const get = (path: string): Shot => ({ method: 'GET', path: `/api/user/${path}`, headers });
    switch (number % 5) {
      case 0:
        return get('calls');
      case 1:
        return get(`calls?status=completed&page=${1 + (number % 100)}`);
      case 2:
        return get('leads?per_page=15');
      case 3:
        return {
          method: 'POST',
          path: '/api/user/lead',
          headers,
          body: JSON.stringify(leadBody(campaignId, number)),
        };
      default:
        return get(`calls/${callIds[number % callIds.length]}`);
    }
  }
}
