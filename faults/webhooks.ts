/**
 * npm run faults -- webhooks [--seed N]: every finished call reaches its receivers on every channel, whatever dies
 * in between; twice only what was cut between the request and the commit of its outcome.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { database } from '../test/support/database.js';
import { DeliveryBook, type ExpectedDelivery } from './support/delivery-book.js';
import { FaultyReceiver, type Taken } from './support/faulty-receiver.js';
import { seeded, seedOf, type Random } from './support/random.js';
import { WebhookCustomer } from './support/webhook-customer.js';
import { WebhookWorld } from './support/webhook-world.js';

const CUSTOMERS = 25;
/** Of each customer: 500 in all. */
const OUTBOUND = 16;
const INBOUND = 4;
const CALLS = CUSTOMERS * (OUTBOUND + INBOUND);
/** Longer than the wait before a third attempt. */
const SETTLE_MS = 420_000;
/** A delivery is sent, answered and written within this time, or its worker has died. */
const ATTEMPT_MS = 30_000;

interface Fault {
  name: string;
  /** Requests that were sent may go unrecorded. */
  cuts: boolean;
  happen(world: WebhookWorld, random: Random): Promise<void>;
}

const CRASH: Fault = {
  name: 'kill -9',
  cuts: true,
  happen: (world, random) => world.crash(random() < 0.5 ? 0 : 1),
};
const FLUSH: Fault = { name: 'Redis flushed', cuts: false, happen: (world) => world.flushRedis() };
const REDIS: Fault = { name: 'Redis restarted', cuts: false, happen: (world) => world.restartRedis() };
const POSTGRES: Fault = {
  name: 'Postgres restarted',
  cuts: true,
  happen: (world) => world.restartPostgres(),
};

/** At the same time, each list in turns: what happens to the workers, and what to their databases. */
const FAULTS = [[CRASH], [FLUSH, REDIS, FLUSH, POSTGRES]];

const say = (text: string): void => void process.stdout.write(`${text}\n`);

export async function run(args: string[]): Promise<void> {
  const random = seeded(seedOf(args));
  const receiver = new FaultyReceiver(random);
  const receiverUrl = await receiver.start();
  const world = await WebhookWorld.start();
  process.env.E2E_DATABASE_URL = world.databaseUrl;
  // Its idle connections break with the database's restarts.
  database().on('error', () => undefined);
  const book = new DeliveryBook(world.databaseUrl);
  try {
    const customers = await customersOf(world, receiver, receiverUrl);
    const faults = await callsUnderFaults(world, customers, random);
    await settle(book);
    judge(await book.expected(), receiver, faults);
  } catch (error) {
    process.stderr.write(`${world.complaints().slice(-60).join('\n')}\n`);
    throw error;
  } finally {
    await book.close();
    await world.stop();
    await receiver.close();
  }
}

async function customersOf(world: WebhookWorld, receiver: FaultyReceiver, receiverUrl: string) {
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, () => WebhookCustomer.create(world.apiUrl, receiverUrl)),
  );
  for (const customer of customers) {
    const secret = await customer.secret();
    for (const id of Object.values(customer.assistants)) receiver.secrets.set(id, secret);
  }
  return customers;
}

/** @returns when workers or the database went away, in milliseconds since the epoch. */
async function callsUnderFaults(
  world: WebhookWorld,
  customers: WebhookCustomer[],
  random: Random,
): Promise<number[]> {
  const cuts: number[] = [];
  const counted: Record<string, number> = {};
  let calling = true;
  const repeat = async (faults: Fault[]): Promise<void> => {
    for (let turn = 0; calling; turn++) {
      await sleep(300 + random() * 2_000);
      const fault = faults[turn % faults.length];
      if (!fault) return;
      counted[fault.name] = (counted[fault.name] ?? 0) + 1;
      if (fault.cuts) cuts.push(Date.now());
      await fault.happen(world, random);
    }
  };
  const calls = Promise.all(customers.map((customer, index) => callsOf(world, customer, index)));
  await Promise.all([calls.finally(() => (calling = false)), ...FAULTS.map(repeat)]);
  say(`faults: ${JSON.stringify(counted)}`);
  return cuts;
}

async function callsOf(world: WebhookWorld, customer: WebhookCustomer, index: number): Promise<void> {
  for (let count = 0; count < OUTBOUND; count++) {
    await customer.call();
    if (count % (OUTBOUND / INBOUND) === 0) {
      await customer.beCalled(world.sandboxUrl, `+1415556${String(index * 100 + count).padStart(4, '0')}`);
    }
  }
}

async function settle(book: DeliveryBook): Promise<void> {
  for (const started = Date.now(); ; await sleep(1_000)) {
    const { all, running } = await book.calls();
    const underWay = await book.underWay();
    if (running === 0 && underWay.length === 0) return say(`${all} calls, all final`);
    if (Date.now() - started < SETTLE_MS) continue;
    const first = underWay.slice(0, 10).join('\n');
    throw new Error(
      `after ${SETTLE_MS / 1000} s ${running} of ${all} calls run and ${underWay.length} things are under way:\n${first}`,
    );
  }
}

function judge(expected: ExpectedDelivery[], receiver: FaultyReceiver, cuts: number[]): void {
  const repeated = expected.map(({ webhookId }) => receiver.taken.get(webhookId ?? '') ?? []);
  const extra = repeated.reduce((sum, requests) => sum + Math.max(0, requests.length - 1), 0);
  const wrong = [
    ...receiver.problems,
    ...expected.flatMap((delivery) =>
      problemsOf(delivery, receiver.taken.get(delivery.webhookId ?? '') ?? []),
    ),
    ...repeated.flatMap((requests) => unexplained(requests, cuts)),
  ];
  const calls = new Set(expected.map(({ callId }) => callId)).size;
  if (calls < CALLS) wrong.push(`${calls} calls stand in the database, ${CALLS} were placed`);
  const reached = repeated.filter((requests) => requests.length > 0).length;
  say(`first requests: ${JSON.stringify(receiver.fates)}`);
  say(
    `${reached} of ${expected.length} deliveries of ${calls} calls arrived, ${extra} of them once more than needed`,
  );
  if (wrong.length > 0) throw new Error(`${wrong.length} wrong:\n${wrong.slice(0, 20).join('\n')}`);
}

function problemsOf(
  { callId, channel, webhookId, state, recorded }: ExpectedDelivery,
  taken: Taken[],
): string[] {
  const name = `call ${callId}, ${channel}`;
  if (webhookId === null) return [`${name}: no delivery`];
  if (state !== 'delivered') return [`${name}: ${state}`];
  const strays = taken.filter((request) => request.callId !== callId || request.channel !== channel);
  return [
    ...(taken.length === 0 ? [`${name}: said to be delivered, but nothing came`] : []),
    ...(strays.length > 0 ? [`${name}: its id stood on another delivery`] : []),
    // What was taken once more than it was written down was cut in between.
    ...(recorded === 0 ? [`${name}: delivered without an attempt in the log`] : []),
  ];
}

/** A repetition needs a reason: a worker or the database went away between the request and its commit. */
function unexplained(requests: Taken[], cuts: number[]): string[] {
  return requests.slice(1).flatMap(({ callId }, index) => {
    const first = requests[index]?.at ?? 0;
    const cut = cuts.some((at) => at > first - ATTEMPT_MS && at < first + ATTEMPT_MS);
    return cut ? [] : [`call ${callId} was told again for no reason`];
  });
}
