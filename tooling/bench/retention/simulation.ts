import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '#src/common/time/durations.js';
import type { BenchDatabase } from '../support/database.js';
import { say } from '../support/progress.js';
import { quantile } from '../support/stats.js';
import { addDay } from './calls-of-year.js';
import { compare, takeSnapshot, type Differences } from './exactness.js';
import type { CutOffs } from './kept-rows.js';
import type { Neighbour } from './neighbour.js';
import { setDays, type Parties } from './parties.js';
import type { Passed, Passes } from './passes.js';

const POLL_MS = 200;
const SETTLE_MS = 300_000;
/** How long numbers of outbound calls are kept at least, by the database's clock. */
const NUMBERS_MS = 31 * DAY_MS;

/** Days that go by for an account. */
export class Simulation {
  readonly checks: Differences[] = [];
  readonly passed: Passed[] = [];

  constructor(
    private readonly database: BenchDatabase,
    private readonly url: string,
    private readonly parties: Parties,
    private readonly passes: Passes,
    private readonly neighbour: Neighbour,
  ) {}

  /** Until the new service has counted the calls of the neighbour, whose requests are not measured. */
  async warmUp(seconds: number): Promise<void> {
    await this.settle();
    await sleep(seconds * 1000);
  }

  /** The neighbour alone. */
  async quiet(seconds: number): Promise<void> {
    await this.settle();
    this.neighbour.phase = 'quiet';
    await sleep(seconds * 1000);
    this.neighbour.phase = null;
  }

  async addDay(firstCall: number, calls: number): Promise<void> {
    await addDay(this.database.pool, this.parties.customer, firstCall, calls);
  }

  /** @param isChecked counts all rows before and after */
  async pass(days: number, narrowDays: number, isChecked: boolean): Promise<void> {
    await setDays(this.url, this.parties.customer, days, narrowDays);
    await this.settle();
    const now = new Date();
    const cutOffs = this.cutOffs(now, days, narrowDays);
    const before = isChecked ? await takeSnapshot(this.database.pool, cutOffs) : null;
    this.neighbour.phase = 'pass';
    const passed = await this.passes.run(now);
    this.neighbour.phase = null;
    this.passed.push(passed);
    say(
      `  ${days} days, ${narrowDays} of one assistant: ${passed.seconds.toFixed(1)} s; p99 of the other account so far ` +
        `${this.p99('pass')} ms, between passes ${this.p99('quiet')} ms`,
    );
    if (!before) return;
    await this.settle();
    this.checks.push(compare(before, await takeSnapshot(this.database.pool, cutOffs)));
    say(`  ${Object.entries(passed.kinds).map(kindText).join('; ')}`);
  }

  private p99(phase: 'pass' | 'quiet'): string {
    return quantile(this.neighbour.times(phase), 0.99).toFixed(1);
  }

  private cutOffs(now: Date, days: number, narrowDays: number): CutOffs {
    const { accountId, assistantIds } = this.parties.customer;
    return {
      accountId,
      narrowId: assistantIds.at(-1) ?? 0,
      before: new Date(now.getTime() - days * DAY_MS),
      narrowBefore: new Date(now.getTime() - narrowDays * DAY_MS),
      numbersBefore: new Date(now.getTime() - NUMBERS_MS),
    };
  }

  /** Until jobs have done what new calls and passes leave to them, at the carrier too. */
  private async settle(): Promise<void> {
    for (const end = Date.now() + SETTLE_MS; Date.now() < end; await sleep(POLL_MS)) {
      const { rows } = await this.database.pool.query(
        `SELECT FROM recordings WHERE state <> 'kept' UNION ALL SELECT FROM sms_messages WHERE check_at IS NOT NULL
         UNION ALL SELECT FROM calls WHERE response_counts IS NULL UNION ALL SELECT FROM call_stat_changes LIMIT 1`,
      );
      if (rows.length === 0) return;
    }
    throw new Error('the jobs are not done in time');
  }
}

const kindText = ([kind, { rows, batches, ms }]: [string, Passed['kinds'][string]]): string =>
  `${kind} ${rows} rows in ${batches} batches, ${(ms / 1000).toFixed(1)} s`;
