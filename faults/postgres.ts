/**
 * npm run faults -- postgres [--seed N] [--broken ledger|delivery]: under campaigns, webhooks and SMS the database is
 * killed, its rows are locked and its connections taken by others: the service recovers and has lost nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../test/factories/account.js';
import { numbersOf } from './dialer.js';
import { judgePostgres, type PostgresObservations } from './judges/postgres.js';
import { AccountBook } from './support/account-book.js';
import { CallBook } from './support/call-book.js';
import { CampaignCustomer } from './support/campaign-customer.js';
import { POSTGRES_KILL, underFaults } from './support/chaos.js';
import { CONNECTIONS, LOCKS } from './support/database-faults.js';
import { DeliveryBook } from './support/delivery-book.js';
import { FaultyReceiver } from './support/faulty-receiver.js';
import { operatorCommand } from './support/operator-command.js';
import type { Random } from './support/random.js';
import { dialsOf } from './support/sandbox-process.js';
import { settled } from './support/settled.js';
import { SmsClient, type SmsAnswer } from './support/sms-client.js';
import { faultRun, say, type RunOptions } from './support/verdict.js';
import { customersOf } from './support/webhook-customer.js';
import { World } from './support/world.js';

export const BROKEN = {
  ledger: 'a ledger row is changed behind the service',
  delivery: 'a delivery is deleted behind the service',
};

const ROLES = ['api', 'worker', 'worker'] as const;
const CUSTOMERS = 6;
/** Of each customer. */
const CALLS = { outbound: 4, inbound: 1 };
const CAMPAIGNS = 2;
const LEADS = 25;
const MESSAGES = 80;
const MESSAGE_EVERY_MS = 500;
const RECIPIENT = '+15005550006';
const SETTLE_MS = 420_000;

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

interface Load {
  receiver: FaultyReceiver;
  texter: TestAccount;
  answers: SmsAnswer[];
  done: Promise<unknown>;
}

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const receiver = new FaultyReceiver(random);
  const world = await World.start({
    random,
    roles: ROLES,
    env: { RING_TIMEOUT_SECONDS: '5' },
    preload: ['support/name-sender'],
  });
  try {
    const load = await startLoad(world, receiver, random);
    const missing = await underFaults({ world, random }, [[POSTGRES_KILL, LOCKS, CONNECTIONS]], load.done);
    const seen = await observe(world, load, broken);
    const { webhooks, dialer, sms } = seen;
    say(`${webhooks.requests.length} webhook requests for ${webhooks.expected.length} deliveries`);
    say(`${dialer.dials.length} dials, ${sms.sent.length} messages of ${sms.asked} sent`);
    return [...missing, ...receiver.problems, ...judgePostgres(seen)];
  } catch (error) {
    process.stderr.write(`${world.complaints().slice(-40).join('\n')}\n`);
    throw error;
  } finally {
    await world.stop();
    await receiver.close();
  }
}

async function startLoad(world: World, receiver: FaultyReceiver, random: Random): Promise<Load> {
  const receiverUrl = await receiver.start();
  const customers = await customersOf(CUSTOMERS, world.url, receiver, receiverUrl);
  const campaigns: CampaignCustomer[] = [];
  const webhook = {
    is_webhook_active: true,
    send_webhook_only_on_completed: false,
    webhook_url: `${receiverUrl}/post-call`,
  };
  for (let count = 0; count < CAMPAIGNS; count++) {
    const campaign = await CampaignCustomer.create(world.url, numbersOf(LEADS), webhook);
    receiver.secrets.set(campaign.assistantId, await campaign.secret());
    campaigns.push(campaign);
  }
  const texter = await anAccount();
  for (const campaign of campaigns) await campaign.start();
  const answers: SmsAnswer[] = [];
  const done = Promise.all([
    ...customers.map((customer, index) => customer.calls({ sandboxUrl: world.sandbox.url, index, ...CALLS })),
    text(new SmsClient([world.url], texter), answers, random),
  ]);
  return { receiver, texter, answers, done };
}

/** Messages at random moments; what is answered stands in `answers`. */
async function text(client: SmsClient, answers: SmsAnswer[], random: Random): Promise<void> {
  const asked: Promise<unknown>[] = [];
  for (let index = 0; index < MESSAGES; index++) {
    await sleep(random() * MESSAGE_EVERY_MS);
    const sent = client.sendSurely(RECIPIENT, `message ${index}`);
    asked.push(sent.then((answer) => answers.push(answer)).catch(() => undefined));
  }
  await Promise.all(asked);
}

async function observe(
  world: World,
  { receiver, texter, answers }: Load,
  broken: string | null,
): Promise<PostgresObservations> {
  const url = world.databases.postgresUrl;
  const [deliveries, calls, accounts] = [
    new DeliveryBook(url),
    new CallBook(url),
    await AccountBook.open(url),
  ];
  try {
    const books = [deliveries, calls, accounts];
    await settled(async () => (await Promise.all(books.map((book) => book.underWay()))).flat(), SETTLE_MS);
    if (broken === 'ledger') await accounts.falsify();
    if (broken === 'delivery') await deliveries.loseOne();
    return {
      webhooks: {
        calls: CUSTOMERS * (CALLS.outbound + CALLS.inbound) + CAMPAIGNS * LEADS,
        expected: await deliveries.expected(),
        requests: receiver.requests,
        attempts: await deliveries.attempts(),
        deaths: world.deaths,
        outages: world.databases.outages,
      },
      dialer: {
        leads: CAMPAIGNS * LEADS,
        dials: dialsOf(world.sandbox.journal()),
        attempts: await calls.attempts(),
        rows: await calls.leads(),
      },
      sms: {
        sent: await world.sentFrom(texter.phoneNumber.phone_number),
        records: await accounts.messagesOf(texter.id),
        answers,
        asked: MESSAGES,
        atLeastSent: MESSAGES / 2,
        audit: await accounts.audit(),
      },
      ready: await Promise.all(ROLES.map((_, index) => readiness(world.urlOf(index)))),
      verify: await operatorCommand(world.commandEnv(), 'accounts', 'verify'),
      ended: world.endedByThemselves(),
    };
  } finally {
    await Promise.all([deliveries.close(), calls.close(), accounts.close()]);
  }
}

/** 0: no answer. */
const readiness = (url: string): Promise<number> =>
  fetch(`${url}/health/ready`).then(
    ({ status }) => status,
    () => 0,
  );
