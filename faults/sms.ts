/**
 * npm run faults -- sms [--seed N] [--broken ledger|twice]: every message is sent and charged once, or not sent and
 * not charged, and its client was told so, whatever happens between the service, its processes and the carrier.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../test/factories/account.js';
import { EQUAL, judgeSms } from './judges/sms.js';
import { AccountBook } from './support/account-book.js';
import { SMS_FAULTS } from './support/faulty-carrier.js';
import type { Random } from './support/random.js';
import { settled } from './support/settled.js';
import { SmsClient, type SmsAnswer } from './support/sms-client.js';
import { faultRun, say, type RunOptions } from './support/verdict.js';
import { World } from './support/world.js';

export const BROKEN = { ledger: 'a ledger row is changed behind the service', twice: 'broken/text-twice' };

const RECIPIENT = '+15005550006';
/** Longer than the service waits before it gives a message up. */
const HELD_BACK_MS = 45_000;
const SETTLE_MS = 150_000;
const PRICE = 75_000n;
/** What the kill of a process is waited for at most. */
const PROGRESS_MS = 60_000;

interface Round {
  name: string;
  balance: number;
  /** Fewer sent than that is not explained by the round's faults. */
  atLeastSent: number;
  send(world: World, user: TestAccount, random: Random): Promise<SmsAnswer>[] | Promise<Promise<SmsAnswer>[]>;
}

const clientOf = (world: World, user: TestAccount): SmsClient =>
  new SmsClient([world.urlOf(0), world.urlOf(1)], user);

/** 1,000 at once on a balance for 100. */
const BURST: Round = {
  name: 'burst',
  balance: 7.5,
  atLeastSent: 100,
  send: (world, user) => {
    const client = clientOf(world, user);
    return Array.from({ length: 1000 }, () => client.sendSurely(RECIPIENT, EQUAL));
  },
};

/** The same while each process is killed in turn; clients repeat what was not answered, under the same key. */
const KILLED: Round = {
  name: 'killed',
  balance: 7.5,
  // Money that lies on messages whose process died comes back when the others have been turned away.
  atLeastSent: 70,
  send: async (world, user, random) => {
    const client = clientOf(world, user);
    const asked = Array.from({ length: 1000 }, (_, index) =>
      client.sendSurely(RECIPIENT, `message ${index}`),
    );
    for (const [index, enough] of [15, 45, 65].entries()) {
      await progress(world, user, enough + random() * 15);
      await world.crash(index % 2);
    }
    return asked;
  },
};

/** Failures, time-outs, lost, late and repeated reports, and kills, all at once; a third of the messages are equal. */
const EVERYTHING: Round = {
  name: 'everything',
  balance: 1000,
  // Of 300, three quarters pass the carrier's faults.
  atLeastSent: 180,
  send: async (world, user, random) => {
    const client = clientOf(world, user);
    world.carrier.use(SMS_FAULTS);
    if (world.reports) world.reports.faults = true;
    const asked: Promise<SmsAnswer>[] = [];
    const crashes: Promise<void>[] = [];
    for (let index = 0; index < 300; index++) {
      asked.push(client.sendSurely(RECIPIENT, index % 3 === 0 ? EQUAL : `message ${index}`));
      await sleep(random() * 40);
      if (index === 100 || index === 200) crashes.push(world.crash(index / 100 - 1));
    }
    await Promise.all(crashes);
    return asked;
  },
};

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const preload = broken === 'twice' ? [BROKEN.twice] : [];
  const world = await World.start({
    random,
    roles: ['all', 'all'],
    reportsHeldBackMs: HELD_BACK_MS,
    preload,
  });
  const book = await AccountBook.open(world.databases.postgresUrl);
  try {
    // A defect is noticed in any round; the first one takes the least time.
    for (const round of broken === null ? [BURST, KILLED, EVERYTHING] : [BURST]) {
      const wrong = await play(round, { world, book, random, falsify: broken === 'ledger' });
      if (wrong.length > 0) return wrong;
    }
    say(`faults that happened: ${JSON.stringify(world.carrier.fates)}, ${world.deaths.length} kills`);
    return world.endedByThemselves();
  } catch (error) {
    process.stderr.write(`${world.complaints().slice(0, 10).join('\n')}\n`);
    throw error;
  } finally {
    await book.close();
    await world.stop();
  }
}

interface Stage {
  world: World;
  book: AccountBook;
  random: Random;
  falsify: boolean;
}

async function play(round: Round, { world, book, random, falsify }: Stage): Promise<string[]> {
  const user = await anAccount({ balance: round.balance });
  const asked = await round.send(world, user, random);
  const outcomes = await Promise.allSettled(asked);
  const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  await settled(async () => (world.reports?.idle ? book.underWay() : ['a report']), SETTLE_MS);
  if (falsify) await book.falsify();
  const sent = await world.sentFrom(user.phoneNumber.phone_number);
  const records = await book.messagesOf(user.id);
  const wrong = judgeSms({
    sent,
    records,
    answers,
    asked: asked.length,
    atLeastSent: round.atLeastSent,
    audit: await book.audit(),
  });
  const balance = await book.balanceOf(user.id);
  const taken = records.reduce((sum, message) => sum + message.taken, 0n);
  const { refunded, recharged } = await book.corrections(user.id);
  say(
    `${round.name}: answers ${JSON.stringify(byStatus(answers))}; ${records.length} records, ${refunded} refunded, ` +
      `${recharged} of them taken again; ${sent.length} sent, ${taken} micro-units taken, ${balance} left`,
  );
  // Where nothing fails, nobody is turned away for money that comes back later.
  const exact = balance === 0n && taken === 100n * PRICE && byStatus(answers)[200] === 100;
  if (round === BURST && !exact) wrong.push('the balance for 100 did not pay for exactly 100');
  return wrong.map((problem) => `${round.name}: ${problem}`);
}

/** Ends when so many were sent, or when no more come. */
async function progress(world: World, user: TestAccount, count: number): Promise<void> {
  for (const end = Date.now() + PROGRESS_MS; Date.now() < end; await sleep(20)) {
    if ((await world.sentFrom(user.phoneNumber.phone_number)).length >= count) return;
  }
}

function byStatus(answers: SmsAnswer[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}
