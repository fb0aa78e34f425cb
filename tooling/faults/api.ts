/**
 * npm run faults -- api [--seed N] [--broken forgets]: kills API processes while clients send and repeat requests
 * with Idempotency-Keys. Every acknowledged resource must exist once, and a key must always get the same response.
 */
import { countKey, verifyApi } from './verifiers/api.js';
import { crashOf, underFaults } from './support/chaos.js';
import { KeyedClient, KINDS } from './support/keyed-client.js';
import { rowCounts } from './support/row-counts.js';
import { dialsOf } from '../harness/sandbox-process.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';
import { Cluster } from './support/cluster.js';

export const BROKEN = { forgets: 'broken/forget-responses' };

const CLIENTS = 6;
/** Rounds per client, with one request of every kind each; one with `--broken`. */
const ROUNDS = 3;
const APIS = [0, 1];

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const rounds = broken === null ? ROUNDS : 1;
  const cluster = await Cluster.start({
    random,
    roles: ['api', 'api', 'worker'],
    sandboxSpeed: 400,
    preload: broken === null ? [] : [BROKEN.forgets],
  });
  try {
    const urls = APIS.map((index) => cluster.urlOf(index));
    const clients: KeyedClient[] = [];
    for (let count = 0; count < CLIENTS; count++) clients.push(await KeyedClient.create(urls, random));
    const written = Promise.all(
      clients.map((client) => client.write(Array.from({ length: rounds }, () => KINDS).flat())),
    );
    const missing = await underFaults({ cluster, random }, [[crashOf(APIS)]], written);
    const writes = clients.flatMap((client) => client.writes);
    const answers = writes.flatMap((write) => write.answers);
    say(
      `${writes.length} writes, ${answers.length} answers, ${answers.filter(({ replayed }) => replayed).length} replayed`,
    );
    const rows = await rowCounts(cluster.databases.postgresUrl);
    const wrong = verifyApi({ writes, rows, carried: await carriedOf(cluster, clients) });
    return [...missing, ...cluster.endedByThemselves(), ...wrong];
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(-40).join('\n')}\n`);
    throw error;
  } finally {
    await cluster.stop();
  }
}

/** Calls and messages that the carrier received, by client. */
async function carriedOf(cluster: Cluster, clients: KeyedClient[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const dials = dialsOf(cluster.sandbox.journal());
  for (const { account } of clients) {
    const number = account.phoneNumber.phone_number;
    const keys = [
      ...dials.filter(({ from }) => from === number).map(({ to }) => countKey('call', account.id, to)),
      ...(await cluster.sentFrom(number)).map(({ body }) => countKey('sms', account.id, body)),
    ];
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
