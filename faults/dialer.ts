/**
 * npm run faults -- dialer [--seed N] [--broken twice]: campaigns call through a carrier that refuses, hangs and loses
 * answers, while processes are killed and Redis is emptied. Every attempt is dialled at most once; in the end every slot
 * is released and every lead has a final status.
 */
import { endedUndialled, verifyDialer } from './verifiers/dialer.js';
import { CallQueries } from './support/call-queries.js';
import { CampaignCustomer } from './support/campaign-customer.js';
import { crashOf, FLUSH, underFaults } from './support/chaos.js';
import { CALL_FAULTS, NO_FAULTS } from './support/faulty-carrier.js';
import { dialsOf } from './support/sandbox-process.js';
import { waitAtMost, waitUntilIdle } from './support/wait-until-idle.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';
import { Cluster } from './support/cluster.js';

export const BROKEN = { twice: 'broken/dial-twice' };

const CUSTOMERS = 4;
/** Per customer. */
const LEADS = 50;
const LEADS_BROKEN = 10;
/** Callees of the sandbox with other results than a conversation. */
const SPECIAL = ['0001', '0002', '0003', '0005', '0010', '0023'];
/** Duration of the faults. */
const FAULTS_MS = 60_000;
const SETTLE_MS = 300_000;
/** Indexes of the processes to kill. The API process less often: its end interrupts conversations. */
const VICTIMS = [0, 1, 2, 1, 2];

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

/** Distinct numbers of the sandbox. */
export function numbersOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+1500555${SPECIAL[index] ?? String(1000 + index)}`);
}

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const leads = broken === null ? LEADS : LEADS_BROKEN;
  const cluster = await Cluster.start({
    random,
    roles: ['api', 'worker', 'worker'],
    env: { RING_TIMEOUT_SECONDS: '5' },
    sandboxSpeed: 400,
    preload: broken === null ? [] : [BROKEN.twice],
  });
  const queries = new CallQueries(cluster.databases.postgresUrl);
  try {
    const customers: CampaignCustomer[] = [];
    for (let count = 0; count < CUSTOMERS; count++) {
      customers.push(await CampaignCustomer.create(cluster.url, numbersOf(leads)));
    }
    for (const customer of customers) await customer.start();
    cluster.carrier.use(CALL_FAULTS);
    const calls = waitAtMost(() => queries.underWay(), FAULTS_MS);
    const missing = await underFaults({ cluster, random }, [[crashOf(VICTIMS)], [FLUSH]], calls);
    cluster.carrier.use(NO_FAULTS);
    await waitUntilIdle(() => queries.underWay(), SETTLE_MS);
    const observed = {
      leads: CUSTOMERS * leads,
      dials: dialsOf(cluster.sandbox.journal()),
      attempts: await queries.attempts(),
      rows: await queries.leads(),
    };
    say(`carrier: ${JSON.stringify(cluster.carrier.fates)}`);
    say(
      `${observed.attempts.length} attempts for ${observed.leads} leads, ${observed.dials.length} dials; ` +
        `${endedUndialled(observed)} leads ended without a dial`,
    );
    // A short run with a planted defect does not need every fault.
    return [...(broken === null ? missing : []), ...cluster.endedByThemselves(), ...verifyDialer(observed)];
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(-40).join('\n')}\n`);
    throw error;
  } finally {
    await queries.close();
    await cluster.stop();
  }
}
