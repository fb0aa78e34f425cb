/**
 * npm run faults -- sms [--seed N]: every message is sent and charged once, or not sent and not charged, whatever
 * happens between the service, its processes and the carrier.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../test/factories/account.js';
import { AccountBook } from './support/account-book.js';
import { SMS_FAULTS } from './support/faulty-carrier.js';
import { seeded, seedOf, type Random } from './support/random.js';
import { SmsClient } from './support/sms-client.js';
import { World } from './support/world.js';

const RECIPIENT = '+15005550006';
/** Longer than the service waits before it gives a message up. */
const HELD_BACK_MS = 45_000;
const SETTLE_MS = 150_000;
const PRICE = 75_000n;

type Round = (world: World, random: Random) => Promise<TestAccount>;

/** 1,000 at once on a balance for 100. */
const burst: Round = async (world) => {
  const user = await anAccount({ balance: 7.5 });
  const client = new SmsClient(world.services, user);
  const answers = await Promise.all(Array.from({ length: 1000 }, () => client.send(RECIPIENT, 'equal')));
  const counted = new Map<number, number>();
  for (const status of answers) counted.set(status, (counted.get(status) ?? 0) + 1);
  if (counted.get(200) !== 100 || counted.get(400) !== 900) {
    throw new Error(`answers by status: ${JSON.stringify([...counted])}`);
  }
  return user;
};

/** The same while each process is killed in turn; clients repeat what was not answered, under the same key. */
const killed: Round = async (world, random) => {
  const user = await anAccount({ balance: 7.5 });
  const client = new SmsClient(world.services, user);
  const asked = Array.from({ length: 1000 }, (_, index) => client.sendSurely(RECIPIENT, `message ${index}`));
  for (const [index, enough] of [15, 45, 75].entries()) {
    const count = enough + random() * 15;
    while ((await world.sentFrom(user.phoneNumber.phone_number)).length < count) await sleep(20);
    await world.crash(index % 2);
  }
  await Promise.all(asked);
  return user;
};

/** Failures, time-outs, lost, late and repeated reports, and kills, all at once; a third of the messages are equal. */
const everything: Round = async (world, random) => {
  const user = await anAccount({ balance: 1000 });
  const client = new SmsClient(world.services, user);
  world.carrier.use(SMS_FAULTS);
  world.reports.faults = true;
  const bodyOf = (index: number) => (index % 3 === 0 ? 'equal' : `message ${index}`);
  const asked: Promise<unknown>[] = [];
  for (let index = 0; index < 300; index++) {
    asked.push(client.sendSurely(RECIPIENT, bodyOf(index)));
    await sleep(random() * 40);
    if (index === 100 || index === 200) asked.push(world.crash(index / 100 - 1));
  }
  await Promise.all(asked);
  return user;
};

const ROUNDS: Record<string, Round> = { burst, killed, everything };

export async function run(args: string[]): Promise<void> {
  const random = seeded(seedOf(args));
  const world = await World.start(random, HELD_BACK_MS);
  process.env.E2E_DATABASE_URL = world.databaseUrl;
  const book = await AccountBook.open(world.databaseUrl);
  try {
    for (const [name, round] of Object.entries(ROUNDS)) {
      const user = await round(world, random);
      await settle(world, book);
      report(name, await judge(world, book, user));
    }
    process.stdout.write(`faults that happened: ${JSON.stringify(world.carrier.fates)}\n`);
    await book.falsify();
    if ((await book.audit()).length === 0) throw new Error('the audit overlooks a changed entry');
  } catch (error) {
    process.stderr.write(`${world.complaints().slice(0, 10).join('\n')}\n`);
    throw error;
  } finally {
    await book.close();
    await world.stop();
  }
}

async function settle(world: World, book: AccountBook): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  while (!world.reports.idle || (await book.pending()) > 0) {
    if (Date.now() > deadline) throw new Error(`${await book.pending()} messages are still pending`);
    await sleep(500);
  }
}

/** Holds the carrier's list against the records and the records against the money. */
async function judge(world: World, book: AccountBook, user: TestAccount) {
  const sent = await world.sentFrom(user.phoneNumber.phone_number);
  const records = await book.messagesOf(user.id);
  const charged = records.filter(({ taken }) => taken !== 0n);
  const chargedSids = new Set(charged.map(({ sms_sid }) => sms_sid));
  const wrong = [
    ...sent.filter(({ sid }) => !chargedSids.has(sid)).map(({ sid }) => `${sid} was sent and not charged`),
    ...charged.filter(({ sms_sid }) => sms_sid === null).map(() => 'a message was charged and not sent'),
    ...charged.filter(({ taken, cost }) => taken !== cost).map(() => 'a message was charged a wrong amount'),
    ...(charged.length === sent.length ? [] : [`${sent.length} were sent and ${charged.length} charged`]),
    ...twice(sent.map(({ body }) => body)).map((body) => `"${body}" was sent twice`),
    ...(await book.audit()),
  ];
  const taken = charged.reduce((sum, message) => sum + message.taken, 0n);
  const balance = await book.balanceOf(user.id);
  return {
    records: records.length,
    sent: sent.length,
    taken,
    balance,
    ...(await book.corrections(user.id)),
    wrong,
  };
}

function report(name: string, { wrong, ...facts }: Awaited<ReturnType<typeof judge>>): void {
  const { records, sent, taken, balance, refunded, recharged } = facts;
  process.stdout.write(
    `${name}: ${records} records, ${refunded} refunded, ${recharged} of them taken again; ` +
      `${sent} sent, ${taken} micro-units taken, ${balance} left\n`,
  );
  // Where nothing fails, nobody is turned away for money that comes back later.
  if (name === 'burst' && (balance !== 0n || taken !== 100n * PRICE))
    wrong.push('the balance for 100 did not pay for exactly 100');
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.length} wrong:\n${wrong.slice(0, 20).join('\n')}`);
}

/** Equal messages are meant to be sent several times. */
const twice = (bodies: string[]): string[] =>
  bodies.filter((body, index) => body !== 'equal' && bodies.indexOf(body) !== index);
