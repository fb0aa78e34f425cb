/**
 * npm run faults -- postgres [--seed N] [--broken ledger|delivery]: kills the database, locks its rows and uses up its
 * connections during campaigns, webhooks and SMS. The service must recover and lose nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../../test/factories/account.js';
import { verifyPostgres, type PostgresObservations } from './verifiers/postgres.js';
import { AccountQueries } from './support/account-queries.js';
import { CallQueries } from './support/call-queries.js';
import { CampaignCustomer, sandboxNumbers } from './support/campaign-customer.js';
import { POSTGRES_KILL, underFaults } from './support/chaos.js';
import { CONNECTIONS, LOCKS } from './support/database-faults.js';
import { DeliveryQueries } from './support/delivery-queries.js';
import { FaultyReceiver } from './support/faulty-receiver.js';
import { operatorCommand } from './support/operator-command.js';
import type { Random } from './support/random.js';
import { dialsOf } from '../harness/sandbox-process.js';
import { waitUntilIdle } from './support/wait-until-idle.js';
import { SmsClient, type SmsResponse } from './support/sms-client.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';
import { customersOf } from './support/webhook-customer.js';
import { Cluster } from './support/cluster.js';

export const BROKEN = {
  ledger: 'a ledger row is changed behind the service',
  delivery: 'a delivery is deleted behind the service',
};

const ROLES = ['api', 'worker', 'worker'] as const;
const CUSTOMERS = 6;
/** Per customer. */
const CALLS = { outbound: 4, inbound: 1 };
const CAMPAIGNS = 2;
const LEADS = 25;
/** Callees of the sandbox with other results than a conversation. */
const SPECIAL = ['0001', '0002', '0003', '0005', '0010', '0023'];
const FIRST_CALLEE = 1000;
const MESSAGES = 80;
const MESSAGE_EVERY_MS = 500;
const RECIPIENT = '+15005550006';
const SETTLE_MS = 420_000;

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

interface Load {
  receiver: FaultyReceiver;
  texter: TestAccount;
  answers: SmsResponse[];
  done: Promise<unknown>;
}

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const receiver = new FaultyReceiver(random);
  const cluster = await Cluster.start({
    random,
    roles: ROLES,
    env: { RING_TIMEOUT_SECONDS: '5' },
    preload: ['support/name-sender'],
  });
  try {
    const load = await startLoad(cluster, receiver, random);
    const missing = await underFaults({ cluster, random }, [[POSTGRES_KILL, LOCKS, CONNECTIONS]], load.done);
    const seen = await observe(cluster, load, broken);
    const { webhooks, dialer, sms } = seen;
    say(`${webhooks.requests.length} webhook requests for ${webhooks.expected.length} deliveries`);
    say(`${dialer.dials.length} dials, ${sms.sent.length} messages of ${sms.asked} sent`);
    return [...missing, ...receiver.problems, ...verifyPostgres(seen)];
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(-40).join('\n')}\n`);
    throw error;
  } finally {
    await cluster.stop();
    await receiver.close();
  }
}

async function startLoad(cluster: Cluster, receiver: FaultyReceiver, random: Random): Promise<Load> {
  const receiverUrl = await receiver.start();
  const customers = await customersOf(CUSTOMERS, cluster.url, receiver, receiverUrl);
  const campaigns: CampaignCustomer[] = [];
  const webhook = {
    is_webhook_active: true,
    send_webhook_only_on_completed: false,
    webhook_url: `${receiverUrl}/post-call`,
  };
  for (let count = 0; count < CAMPAIGNS; count++) {
    const campaign = await CampaignCustomer.create(
      cluster.url,
      sandboxNumbers(LEADS, SPECIAL, FIRST_CALLEE),
      { assistant: webhook },
    );
    receiver.secrets.set(campaign.assistantId, await campaign.secret());
    campaigns.push(campaign);
  }
  const texter = await anAccount();
  for (const campaign of campaigns) await campaign.start();
  const answers: SmsResponse[] = [];
  const done = Promise.all([
    ...customers.map((customer, index) =>
      customer.calls({ sandboxUrl: cluster.sandbox.url, index, ...CALLS }),
    ),
    sendMessages(new SmsClient([cluster.url], texter), answers, random),
  ]);
  return { receiver, texter, answers, done };
}

/** Sends messages at random times and adds the responses to `answers`. */
async function sendMessages(client: SmsClient, answers: SmsResponse[], random: Random): Promise<void> {
  const asked: Promise<unknown>[] = [];
  for (let index = 0; index < MESSAGES; index++) {
    await sleep(random() * MESSAGE_EVERY_MS);
    const sent = client.sendSurely(RECIPIENT, `message ${index}`);
    asked.push(sent.then((answer) => answers.push(answer)).catch(() => undefined));
  }
  await Promise.all(asked);
}

async function observe(
  cluster: Cluster,
  { receiver, texter, answers }: Load,
  broken: string | null,
): Promise<PostgresObservations> {
  const url = cluster.databases.postgresUrl;
  const [deliveries, calls, accounts] = [
    new DeliveryQueries(url),
    new CallQueries(url),
    await AccountQueries.open(url),
  ];
  try {
    const allQueries = [deliveries, calls, accounts];
    await waitUntilIdle(
      async () => (await Promise.all(allQueries.map((queries) => queries.underWay()))).flat(),
      SETTLE_MS,
    );
    if (broken === 'ledger') await accounts.falsify();
    if (broken === 'delivery') await deliveries.loseOne();
    return {
      webhooks: {
        calls: CUSTOMERS * (CALLS.outbound + CALLS.inbound) + CAMPAIGNS * LEADS,
        expected: await deliveries.expected(),
        requests: receiver.requests,
        attempts: await deliveries.attempts(),
        deaths: cluster.deaths,
        outages: cluster.databases.outages,
      },
      dialer: {
        leads: CAMPAIGNS * LEADS,
        dials: dialsOf(cluster.sandbox.journal()),
        attempts: await calls.attempts(),
        rows: await calls.leads(),
        // The slots wait for the database.
        calmSince: 0,
        slotMs: Infinity,
      },
      sms: {
        sent: await cluster.sentFrom(texter.phoneNumber.phone_number),
        records: await accounts.messagesOf(texter.id),
        answers,
        asked: MESSAGES,
        atLeastSent: MESSAGES / 2,
        audit: await accounts.audit(),
      },
      ready: await Promise.all(ROLES.map((_, index) => readiness(cluster.urlOf(index)))),
      verify: await operatorCommand(cluster.commandEnv(), 'accounts', 'verify'),
      ended: cluster.endedByThemselves(),
    };
  } finally {
    await Promise.all([deliveries.close(), calls.close(), accounts.close()]);
  }
}

/** 0: no response. */
const readiness = (url: string): Promise<number> =>
  fetch(`${url}/health/ready`).then(
    ({ status }) => status,
    () => 0,
  );
