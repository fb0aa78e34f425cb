/**
 * npm run faults -- api [--seed N] [--broken forgets]: API processes are killed while clients write with
 * Idempotency-Keys and repeat everything: what is acknowledged exists once, and a key gives one answer for ever.
 */
import { countKey, judgeApi } from './judges/api.js';
import { crashOf, underFaults } from './support/chaos.js';
import { KeyedClient, KINDS } from './support/keyed-client.js';
import { rowCounts } from './support/row-counts.js';
import { dialsOf } from './support/sandbox-process.js';
import { faultRun, say, type RunOptions } from './support/verdict.js';
import { World } from './support/world.js';

export const BROKEN = { forgets: 'broken/forget-answers' };

const CLIENTS = 6;
/** How often each client writes one of every kind; with a defect once is enough. */
const ROUNDS = 3;
const APIS = [0, 1];

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const rounds = broken === null ? ROUNDS : 1;
  const world = await World.start({
    random,
    roles: ['api', 'api', 'worker'],
    sandboxSpeed: 100,
    preload: broken === null ? [] : [BROKEN.forgets],
  });
  try {
    const urls = APIS.map((index) => world.urlOf(index));
    const clients: KeyedClient[] = [];
    for (let count = 0; count < CLIENTS; count++) clients.push(await KeyedClient.create(urls, random));
    const written = Promise.all(
      clients.map((client) => client.write(Array.from({ length: rounds }, () => KINDS).flat())),
    );
    const missing = await underFaults({ world, random }, [[crashOf(APIS)]], written);
    const writes = clients.flatMap((client) => client.writes);
    const answers = writes.flatMap((write) => write.answers);
    say(
      `${writes.length} writes, ${answers.length} answers, ${answers.filter(({ replayed }) => replayed).length} replayed`,
    );
    const rows = await rowCounts(world.databases.postgresUrl);
    const wrong = judgeApi({ writes, rows, carried: await carriedOf(world, clients) });
    return [...missing, ...world.endedByThemselves(), ...wrong];
  } catch (error) {
    process.stderr.write(`${world.complaints().slice(-40).join('\n')}\n`);
    throw error;
  } finally {
    await world.stop();
  }
}

/** What the carrier was asked for, by who asked. */
async function carriedOf(world: World, clients: KeyedClient[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const dials = dialsOf(world.sandbox.journal());
  for (const { account } of clients) {
    const number = account.phoneNumber.phone_number;
    const keys = [
      ...dials.filter(({ from }) => from === number).map(({ to }) => countKey('call', account.id, to)),
      ...(await world.sentFrom(number)).map(({ body }) => countKey('sms', account.id, body)),
    ];
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
