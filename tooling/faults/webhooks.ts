/**
 * npm run faults -- webhooks [--seed N] [--broken twice]: every finished call must be delivered on every channel while
 * processes, Redis and Postgres are killed; repeated only after a failure or an interrupted attempt.
 */
import { verifyWebhooks } from './verifiers/webhooks.js';
import { crashOf, FLUSH, POSTGRES_RESTART, REDIS, underFaults } from './support/chaos.js';
import { DeliveryQueries } from './support/delivery-queries.js';
import { FaultyReceiver } from './support/faulty-receiver.js';
import { waitUntilIdle } from './support/wait-until-idle.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';
import { customersOf } from './support/webhook-customer.js';
import { Cluster } from './support/cluster.js';

export const BROKEN = { twice: 'broken/post-twice' };

const CUSTOMERS = 12;
/** Per customer. */
const OUTBOUND = 18;
const INBOUND = 2;
const WORKERS = [1, 2];
/** Longer than the wait before a third attempt. */
const SETTLE_MS = 420_000;

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const receiver = new FaultyReceiver(random);
  const receiverUrl = await receiver.start();
  const preload = ['support/name-sender', ...(broken === 'twice' ? [BROKEN.twice] : [])];
  const cluster = await Cluster.start({ random, roles: ['api', 'worker', 'worker'], preload });
  const queries = new DeliveryQueries(cluster.databases.postgresUrl);
  try {
    const customers = await customersOf(CUSTOMERS, cluster.url, receiver, receiverUrl);
    const calls = Promise.all(
      customers.map((customer, index) =>
        customer.calls({ sandboxUrl: cluster.sandbox.url, index, outbound: OUTBOUND, inbound: INBOUND }),
      ),
    );
    const faults = [[crashOf(WORKERS)], [FLUSH, POSTGRES_RESTART, REDIS]];
    const missing = await underFaults({ cluster, random }, faults, calls);
    await waitUntilIdle(() => queries.underWay(), SETTLE_MS);
    const expected = await queries.expected();
    say(`first requests: ${JSON.stringify(receiver.fates)}`);
    say(`${receiver.requests.length} requests for ${expected.length} deliveries`);
    const { deaths, databases } = cluster;
    const wrong = verifyWebhooks({
      calls: CUSTOMERS * (OUTBOUND + INBOUND),
      expected,
      requests: receiver.requests,
      attempts: await queries.attempts(),
      deaths,
      outages: databases.outages,
    });
    return [...missing, ...receiver.problems, ...cluster.endedByThemselves(), ...wrong];
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(-60).join('\n')}\n`);
    throw error;
  } finally {
    await queries.close();
    await cluster.stop();
    await receiver.close();
  }
}
