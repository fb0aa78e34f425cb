/**
 * npm run faults -- events [--calls N] [--clients N] [--seed N] [--broken repeats|drops|shares]: clients of one
 * account read the events of its running calls and reconnect at random to one of two processes. Each must receive
 * every event once and in order, another account none of them, and memory must not grow. All calls must run at once.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConversationCustomer } from './conversations/conversation-customer.js';
import { EventQueries } from './events/event-queries.js';
import { EventReader } from './events/event-reader.js';
import { quantile } from './neighbour/verify-neighbour.js';
import { Cluster } from './support/cluster.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';
import { seeded } from './support/random.js';
import { numberOption } from './support/run-options.js';
import { verifyEvents, type AccountEvents, type Memory } from './verifiers/events.js';

export const BROKEN = {
  repeats: 'broken/repeat-events',
  drops: 'broken/drop-events',
  shares: 'broken/share-events',
};

const CALLS = 200;
const CLIENTS = 20;
/** Of the other account, whose calls run at the same time. */
const OTHER = { calls: 10, clients: 2 };
/** With a planted defect, and before memory is measured for the first time. */
const FEW_CALLS = 20;
const PLACED_AT_ONCE = 15;
const TRIES = 10;
const RETRY_MS = 1_000;
/** Calls in real time, because the engine estimates playback in it. */
const SPEED = 1;
const SETTLE_MS = 480_000;
/** Timeout of the remaining events after all calls are final; later ones count as missing. */
const READ_MS = 20_000;
const POLL_MS = 500;
/** Until timers and sockets of finished work are closed. */
const IDLE_MS = 1_500;
/** Callees without a scenario of their own are polite; one call at a time to each. */
const FIRST_CALLEE = 2_000;

export const run = (args: string[]): Promise<void> =>
  faultRun(args, Object.keys(BROKEN), (options) => work(options, args));

async function work({ random, broken }: RunOptions, args: string[]): Promise<string[]> {
  const calls = numberOption(args, '--calls', broken === null ? CALLS : FEW_CALLS);
  const clients = numberOption(args, '--clients', CLIENTS);
  const preload = broken === null ? [] : [BROKEN[broken as keyof typeof BROKEN]];
  const cluster = await Cluster.start({
    random,
    roles: ['all', 'all'],
    sandboxSpeed: SPEED,
    preload: ['patches/collect-garbage', ...preload],
  });
  const queries = new EventQueries(cluster.databases.postgresUrl);
  const watched: Watched[] = [];
  try {
    const urls = [cluster.urlOf(0), cluster.urlOf(1)];
    const watch = async (name: string, count: number): Promise<Watched> => {
      const account = await Watched.create(
        name,
        urls,
        Array.from({ length: count }, () => random() * 2 ** 32),
      );
      watched.push(account);
      return account;
    };
    const main = await watch('main', clients);
    const other = await watch('other', OTHER.clients);
    await main.place(FEW_CALLS);
    await settle(queries, watched);
    const before = await memoryOf(cluster);
    const placed = Promise.all([main.place(calls), other.place(OTHER.calls)]);
    const peak = settle(queries, watched, placed);
    await placed;
    const running = { peak: await peak, asked: calls };
    say(`at most ${running.peak} calls ran at once; load average ${loadavg()[0]?.toFixed(1)}`);
    const after = await memoryOf(cluster);
    const revokedAt = Date.now();
    await Promise.all(watched.map(({ id }) => queries.revoke(id)));
    await waitFor(() => watched.every((account) => account.isRefused), 15_000);
    const accounts = await Promise.all(watched.map((account) => account.observe(queries, revokedAt)));
    const lagsMs = accounts.flatMap(({ lags }) => lags);
    tell(accounts, lagsMs);
    const memory = before.map((sample, index) => ({ before: sample, after: after[index] ?? sample }));
    for (const { before: first, after: last } of memory) say(`${inMegabytes(first)} → ${inMegabytes(last)}`);
    return [...cluster.endedByThemselves(), ...verifyEvents({ accounts, running, lagsMs, memory })];
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(-40).join('\n')}\n`);
    throw error;
  } finally {
    await Promise.all(watched.map((account) => account.close()));
    await queries.close();
    await cluster.stop();
  }
}

/** An account with its calls and its readers. */
class Watched {
  private callee = FIRST_CALLEE;

  private constructor(
    private readonly name: string,
    private readonly customer: ConversationCustomer,
    private readonly assistant: number,
    private readonly readers: readonly EventReader[],
  ) {}

  static async create(name: string, urls: string[], seeds: number[]): Promise<Watched> {
    const customer = await ConversationCustomer.create(urls[0] ?? '');
    const readers = seeds.map(
      (seed, index) => new EventReader(`reader ${index}`, customer.account.token, urls, seeded(seed)),
    );
    const assistant = await customer.assistant({});
    for (const reader of readers) reader.start();
    return new Watched(name, customer, assistant, readers);
  }

  get id(): number {
    return this.customer.account.id;
  }

  get isRefused(): boolean {
    return this.readers.every(({ refusedAt }) => refusedAt !== null);
  }

  async place(count: number): Promise<void> {
    const callees = Array.from({ length: count }, () => String(this.callee++));
    const placeNext = async (): Promise<void> => {
      for (let callee = callees.pop(); callee; callee = callees.pop()) await this.call(callee);
    };
    await Promise.all(Array.from({ length: PLACED_AT_ONCE }, placeNext));
  }

  /** Retries while the service is too busy; the refused request may have placed the call. */
  private async call(callee: string): Promise<void> {
    for (let left = TRIES; ; left--) {
      try {
        await this.customer.call(this.assistant, callee);
        return;
      } catch (error) {
        if (String(error).includes('already in progress')) return;
        if (left === 1) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  async hasAll(queries: EventQueries): Promise<boolean> {
    const newest = (await queries.stored(this.id)).at(-1)?.seq ?? 0;
    return this.readers.every(({ lastId }) => lastId >= newest);
  }

  async observe(queries: EventQueries, revokedAt: number): Promise<AccountEvents & { lags: number[] }> {
    const stored = await queries.stored(this.id);
    const at = new Map(stored.map((event) => [event.seq, event.at]));
    // Events stored before the connection are excluded from the latency.
    const live = this.readers
      .flatMap(({ events }) => events)
      .filter(({ id, since }) => since < (at.get(id) ?? 0));
    return {
      name: this.name,
      stored,
      calls: await queries.calls(this.id),
      readers: this.readers.map((reader) => reader.log(revokedAt)),
      lags: live.map(({ id, at: arrived }) => arrived - (at.get(id) ?? 0)),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.close()));
  }
}

/** Waits until all calls are final and read. @returns the maximum number of concurrent calls */
async function settle(queries: EventQueries, watched: Watched[], placed?: Promise<unknown>): Promise<number> {
  let peak = 0;
  let arePlaced = placed === undefined;
  let finalSince = Infinity;
  void placed?.then(() => (arePlaced = true));
  await waitFor(async () => {
    const { running, open, unnumbered } = await queries.progress();
    peak = Math.max(peak, running);
    if (!arePlaced || open > 0 || unnumbered > 0) return false;
    finalSince = Math.min(finalSince, Date.now());
    if (Date.now() - finalSince > READ_MS) return true;
    return (await Promise.all(watched.map((account) => account.hasAll(queries)))).every(Boolean);
  }, SETTLE_MS);
  return peak;
}

/** Resolves after this time at the latest: the verifier reports missing events. */
async function waitFor(isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(POLL_MS)) if (await isSo()) return;
}

async function memoryOf({ services }: Cluster): Promise<Memory[]> {
  await sleep(IDLE_MS);
  return Promise.all(
    services.map(async ({ url, process: child }) => {
      child.kill('SIGUSR2');
      await sleep(IDLE_MS);
      const text = await (await fetch(`${url}/metrics`)).text();
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return {
        heapBytes: Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1] ?? NaN),
        residentBytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) * 1024,
      };
    }),
  );
}

function tell(accounts: AccountEvents[], lagsMs: number[]): void {
  for (const { name, stored, calls, readers } of accounts) {
    const connections = readers.reduce((sum, reader) => sum + reader.connections, 0);
    const received = readers.reduce((sum, reader) => sum + reader.received.length, 0);
    say(
      `${name}: ${calls.length} calls, ${stored.length} events, ${readers.length} readers with ${connections} connections, ${received} received`,
    );
  }
  const lag = (share: number): string => `${Math.round(quantile(lagsMs, share))} ms`;
  say(`lag of ${lagsMs.length} events: p50 ${lag(0.5)}, p99 ${lag(0.99)}, longest ${lag(1)}`);
}

const inMegabytes = ({ heapBytes, residentBytes }: Memory): string =>
  `heap ${(heapBytes / 2 ** 20).toFixed(1)} MiB, resident ${(residentBytes / 2 ** 20).toFixed(1)} MiB`;
