/**
 * npm run faults -- webhooks [--seed N] [--broken twice]: every finished call reaches its receivers on every channel,
 * whatever dies in between; again only what failed, or was cut between the request and the commit of its outcome.
 */
import { judgeWebhooks } from './judges/webhooks.js';
import { crashOf, FLUSH, POSTGRES_RESTART, REDIS, underFaults } from './support/chaos.js';
import { DeliveryBook } from './support/delivery-book.js';
import { FaultyReceiver } from './support/faulty-receiver.js';
import { settled } from './support/settled.js';
import { faultRun, say, type RunOptions } from './support/verdict.js';
import { customersOf } from './support/webhook-customer.js';
import { World } from './support/world.js';

export const BROKEN = { twice: 'broken/post-twice' };

const CUSTOMERS = 12;
/** Of each customer. */
const OUTBOUND = 6;
const INBOUND = 2;
const WORKERS = [1, 2];
/** Longer than the wait before a third attempt. */
const SETTLE_MS = 420_000;

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const receiver = new FaultyReceiver(random);
  const receiverUrl = await receiver.start();
  const preload = ['support/name-sender', ...(broken === 'twice' ? [BROKEN.twice] : [])];
  const world = await World.start({ random, roles: ['api', 'worker', 'worker'], preload });
  const book = new DeliveryBook(world.databases.postgresUrl);
  try {
    const customers = await customersOf(CUSTOMERS, world.url, receiver, receiverUrl);
    const calls = Promise.all(
      customers.map((customer, index) =>
        customer.calls({ sandboxUrl: world.sandbox.url, index, outbound: OUTBOUND, inbound: INBOUND }),
      ),
    );
    const faults = [[crashOf(WORKERS)], [FLUSH, REDIS, FLUSH, POSTGRES_RESTART]];
    const missing = await underFaults({ world, random }, faults, calls);
    await settled(() => book.underWay(), SETTLE_MS);
    const expected = await book.expected();
    say(`first requests: ${JSON.stringify(receiver.fates)}`);
    say(`${receiver.requests.length} requests for ${expected.length} deliveries`);
    const { deaths, databases } = world;
    const wrong = judgeWebhooks({
      calls: CUSTOMERS * (OUTBOUND + INBOUND),
      expected,
      requests: receiver.requests,
      attempts: await book.attempts(),
      deaths,
      outages: databases.outages,
    });
    return [...missing, ...receiver.problems, ...world.endedByThemselves(), ...wrong];
  } catch (error) {
    process.stderr.write(`${world.complaints().slice(-60).join('\n')}\n`);
    throw error;
  } finally {
    await book.close();
    await world.stop();
    await receiver.close();
  }
}
