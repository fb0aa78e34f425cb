/**
 * npm run faults -- dialer [--seed N] [--broken twice]: campaigns call through a carrier that refuses, hangs and loses
 * answers, while processes are killed and Redis forgets: no attempt rings twice, no place and no lead is left behind.
 */
import { endedUndialled, judgeDialer } from './judges/dialer.js';
import { CallBook } from './support/call-book.js';
import { CampaignCustomer } from './support/campaign-customer.js';
import { crashOf, FLUSH, underFaults } from './support/chaos.js';
import { CALL_FAULTS, NO_FAULTS } from './support/faulty-carrier.js';
import { dialsOf } from './support/sandbox-process.js';
import { leftAfter, settled } from './support/settled.js';
import { faultRun, say, type RunOptions } from './support/verdict.js';
import { World } from './support/world.js';

export const BROKEN = { twice: 'broken/dial-twice' };

const CUSTOMERS = 4;
/** Of each customer; with a defect a few are enough. */
const LEADS = 50;
const LEADS_BROKEN = 10;
/** Callees of the sandbox who do not answer like everybody else. */
const SPECIAL = ['0001', '0002', '0003', '0005', '0023', '0030'];
/** From then on the service is left alone. */
const FAULTS_MS = 60_000;
const SETTLE_MS = 300_000;
/** An API process that is killed cuts conversations, so it happens less often than to workers. */
const VICTIMS = [0, 1, 2, 1, 2];

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

/** Numbers of distinct people of the sandbox. */
export function numbersOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+1500555${SPECIAL[index] ?? String(1000 + index)}`);
}

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const leads = broken === null ? LEADS : LEADS_BROKEN;
  const world = await World.start({
    random,
    roles: ['api', 'worker', 'worker'],
    env: { RING_TIMEOUT_SECONDS: '5' },
    sandboxSpeed: 100,
    preload: broken === null ? [] : [BROKEN.twice],
  });
  const book = new CallBook(world.databases.postgresUrl);
  try {
    const customers: CampaignCustomer[] = [];
    for (let count = 0; count < CUSTOMERS; count++) {
      customers.push(await CampaignCustomer.create(world.url, numbersOf(leads)));
    }
    for (const customer of customers) await customer.start();
    world.carrier.use(CALL_FAULTS);
    const calls = leftAfter(() => book.underWay(), FAULTS_MS);
    const missing = await underFaults({ world, random }, [[crashOf(VICTIMS)], [FLUSH]], calls);
    world.carrier.use(NO_FAULTS);
    await settled(() => book.underWay(), SETTLE_MS);
    const observed = {
      leads: CUSTOMERS * leads,
      dials: dialsOf(world.sandbox.journal()),
      attempts: await book.attempts(),
      rows: await book.leads(),
    };
    say(`carrier: ${JSON.stringify(world.carrier.fates)}`);
    say(
      `${observed.attempts.length} attempts for ${observed.leads} leads, ${observed.dials.length} dials; ` +
        `${endedUndialled(observed)} leads ended without a dial`,
    );
    // A short run with a defect need not see every fault.
    return [...(broken === null ? missing : []), ...world.endedByThemselves(), ...judgeDialer(observed)];
  } catch (error) {
    process.stderr.write(`${world.complaints().slice(-40).join('\n')}\n`);
    throw error;
  } finally {
    await book.close();
    await world.stop();
  }
}
