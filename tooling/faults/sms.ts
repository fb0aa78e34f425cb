/**
 * npm run faults -- sms [--seed N] [--broken ledger|twice]: every message must be sent and charged once, or neither,
 * and its client must get the matching response, while processes are killed and the carrier fails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../../test/factories/account.js';
import { EQUAL, verifySms } from './verifiers/sms.js';
import { AccountQueries } from './support/account-queries.js';
import { SMS_FAULTS } from './support/faulty-carrier.js';
import type { Random } from './support/random.js';
import { waitUntilIdle } from './support/wait-until-idle.js';
import { SmsClient, type SmsResponse } from './support/sms-client.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';
import { Cluster } from './support/cluster.js';

export const BROKEN = { ledger: 'a ledger row is changed behind the service', twice: 'broken/text-twice' };

const RECIPIENT = '+15005550006';
/** Longer than the service's wait before it refunds a message. */
const HELD_BACK_MS = 45_000;
const SETTLE_MS = 150_000;
const PRICE = 75_000n;
/** Maximum wait for progress before a process is killed. */
const PROGRESS_MS = 60_000;

interface Round {
  name: string;
  balance: number;
  /** Minimum of sent messages in spite of the faults. */
  atLeastSent: number;
  send(
    cluster: Cluster,
    user: TestAccount,
    random: Random,
  ): Promise<SmsResponse>[] | Promise<Promise<SmsResponse>[]>;
}

const clientOf = (cluster: Cluster, user: TestAccount): SmsClient =>
  new SmsClient([cluster.urlOf(0), cluster.urlOf(1)], user);

/** 1,000 parallel requests with a balance for 100. */
const BURST: Round = {
  name: 'burst',
  balance: 7.5,
  atLeastSent: 100,
  send: (cluster, user) => {
    const client = clientOf(cluster, user);
    return Array.from({ length: 1000 }, () => client.sendSurely(RECIPIENT, EQUAL));
  },
};

/** As above, while each process is killed in turn; clients retry requests without a response with the same key. */
const KILLED: Round = {
  name: 'killed',
  balance: 7.5,
  // Messages of a dead process are refunded only after other requests were refused for lack of balance.
  atLeastSent: 70,
  send: async (cluster, user, random) => {
    const client = clientOf(cluster, user);
    const asked = Array.from({ length: 1000 }, (_, index) =>
      client.sendSurely(RECIPIENT, `message ${index}`),
    );
    for (const [index, enough] of [15, 45, 65].entries()) {
      await progress(cluster, user, enough + random() * 15);
      await cluster.crash(index % 2);
    }
    return asked;
  },
};

/** All faults at the same time: errors, time-outs, lost, late and repeated reports, kills. A third of the bodies are equal. */
const EVERYTHING: Round = {
  name: 'everything',
  balance: 1000,
  // About three quarters of 300 are sent despite the carrier's faults.
  atLeastSent: 180,
  send: async (cluster, user, random) => {
    const client = clientOf(cluster, user);
    cluster.carrier.use(SMS_FAULTS);
    if (cluster.reports) cluster.reports.faults = true;
    const asked: Promise<SmsResponse>[] = [];
    const crashes: Promise<void>[] = [];
    for (let index = 0; index < 300; index++) {
      asked.push(client.sendSurely(RECIPIENT, index % 3 === 0 ? EQUAL : `message ${index}`));
      await sleep(random() * 40);
      if (index === 100 || index === 200) crashes.push(cluster.crash(index / 100 - 1));
    }
    await Promise.all(crashes);
    return asked;
  },
};

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const preload = broken === 'twice' ? [BROKEN.twice] : [];
  const cluster = await Cluster.start({
    random,
    roles: ['all', 'all'],
    reportsHeldBackMs: HELD_BACK_MS,
    preload,
  });
  const queries = await AccountQueries.open(cluster.databases.postgresUrl);
  try {
    // A defect is detected in any round; the first one is the shortest.
    for (const round of broken === null ? [BURST, KILLED, EVERYTHING] : [BURST]) {
      const wrong = await runRound(round, { cluster, queries, random, falsify: broken === 'ledger' });
      if (wrong.length > 0) return wrong;
    }
    say(`faults that happened: ${JSON.stringify(cluster.carrier.fates)}, ${cluster.deaths.length} kills`);
    return cluster.endedByThemselves();
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(0, 10).join('\n')}\n`);
    throw error;
  } finally {
    await queries.close();
    await cluster.stop();
  }
}

interface RoundContext {
  cluster: Cluster;
  queries: AccountQueries;
  random: Random;
  falsify: boolean;
}

async function runRound(
  round: Round,
  { cluster, queries, random, falsify }: RoundContext,
): Promise<string[]> {
  const user = await anAccount({ balance: round.balance });
  const asked = await round.send(cluster, user, random);
  const outcomes = await Promise.allSettled(asked);
  const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  await waitUntilIdle(async () => (cluster.reports?.idle ? queries.underWay() : ['a report']), SETTLE_MS);
  if (falsify) await queries.falsify();
  const sent = await cluster.sentFrom(user.phoneNumber.phone_number);
  const records = await queries.messagesOf(user.id);
  const wrong = verifySms({
    sent,
    records,
    answers,
    asked: asked.length,
    atLeastSent: round.atLeastSent,
    audit: await queries.audit(),
  });
  const balance = await queries.balanceOf(user.id);
  const taken = records.reduce((sum, message) => sum + message.taken, 0n);
  const { refunded, recharged } = await queries.corrections(user.id);
  say(
    `${round.name}: answers ${JSON.stringify(byStatus(answers))}; ${records.length} records, ${refunded} refunded, ` +
      `${recharged} of them taken again; ${sent.length} sent, ${taken} micro-units taken, ${balance} left`,
  );
  // Without faults there are no refunds, so the balance must be used up.
  const exact = balance === 0n && taken === 100n * PRICE && byStatus(answers)[200] === 100;
  if (round === BURST && !exact) wrong.push('the balance for 100 did not pay for exactly 100');
  return wrong.map((problem) => `${round.name}: ${problem}`);
}

/** Waits until `count` messages were sent, or the time limit. */
async function progress(cluster: Cluster, user: TestAccount, count: number): Promise<void> {
  for (const end = Date.now() + PROGRESS_MS; Date.now() < end; await sleep(20)) {
    if ((await cluster.sentFrom(user.phoneNumber.phone_number)).length >= count) return;
  }
}

function byStatus(answers: SmsResponse[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}
