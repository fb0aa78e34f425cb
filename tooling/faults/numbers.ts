/**
 * npm run faults -- numbers [--seed N] [--broken blind|ledger]: 20 accounts send 200 concurrent requests for one
 * number, while processes are killed and responses of the carrier are lost: it must be bought once and paid once, or
 * neither. Half of them are released under the same faults. Then a year passes, in which some balances run out.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../../test/factories/account.js';
import { AccountQueries } from './support/account-queries.js';
import { Api } from './support/api.js';
import { Cluster } from './support/cluster.js';
import { faultRun, say, type RunOptions } from './support/fault-run.js';
import { NO_FAULTS, NUMBER_FAULTS } from './support/faulty-carrier.js';
import { numbersAtCarrier, NumberQueries } from './support/number-queries.js';
import { simulateYear } from './support/number-year.js';
import type { Random } from './support/random.js';
import { waitUntilIdle } from './support/wait-until-idle.js';
import { type PurchaseResponse, type NumberRow, verifyPurchases, verifyYear } from './verifiers/numbers.js';

export const BROKEN = {
  blind: 'broken/buy-blindly',
  ledger: 'a ledger row is changed behind the service',
};

const ACCOUNTS = 20;
const REQUESTS = 200;
const NUMBERS = 16;
/** A defect is detected sooner. */
const NUMBERS_BROKEN = 5;
const RETRY_PAUSE_MS = 300;
const TIMEOUT_MS = 120_000;
const SETTLE_MS = 240_000;
/** Key in use, too many requests, service not available. */
const RETRYABLE = new Set([409, 429, 502, 503]);

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const cluster = await Cluster.start({
    random,
    roles: ['all', 'all'],
    preload: broken === 'blind' ? [BROKEN.blind] : [],
  });
  const numbers = new NumberQueries(cluster.databases.postgresUrl);
  const ledger = await AccountQueries.open(cluster.databases.postgresUrl);
  try {
    const wrong = await purchases({ cluster, numbers, ledger, random, broken });
    if (broken !== null || wrong.length > 0) return wrong;
    const subscriptions = await simulateYear({ cluster, numbers });
    const problems = verifyYear({ subscriptions, audit: await ledger.audit() });
    return [...problems, ...cluster.endedByThemselves()];
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(0, 10).join('\n')}\n`);
    throw error;
  } finally {
    await Promise.all([numbers.close(), ledger.close()]);
    await cluster.stop();
  }
}

interface Context {
  cluster: Cluster;
  numbers: NumberQueries;
  ledger: AccountQueries;
  random: Random;
  broken: string | null;
}

async function purchases({ cluster, numbers, ledger, random, broken }: Context): Promise<string[]> {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => anAccount({ balance: 1000 })));
  const answers: PurchaseResponse[] = [];
  const count = broken === null ? NUMBERS : NUMBERS_BROKEN;
  cluster.carrier.use(NUMBER_FAULTS);
  for (let index = 0; index < count; index++) {
    const asked = askForOne(cluster, accounts, `+1415${2_340_000 + index}`);
    // One of the two processes dies in every second round, in the middle of the purchases.
    const crash = index % 2 === 0 ? sleep(random() * 400).then(() => cluster.crash((index / 2) % 2)) : null;
    answers.push(...(await Promise.all(asked)).filter((answer) => answer !== null));
    await crash;
  }
  const released = await release(cluster, accounts, await numbers.rows());
  cluster.carrier.use(NO_FAULTS);
  await numbers.hurry();
  await waitUntilIdle(() => numbers.underWay(), SETTLE_MS);
  // Orders that timed out in the meantime.
  await numbers.hurry();
  await waitUntilIdle(() => numbers.underWay(), SETTLE_MS);
  if (broken === 'ledger') await ledger.falsify();
  const rows = await numbers.rows();
  const owned = await numbersAtCarrier(cluster.sandbox.url);
  say(`carrier: ${JSON.stringify(cluster.carrier.fates)}, ${cluster.deaths.length} kills`);
  say(
    `answers ${JSON.stringify(byStatus(answers))}; ${rows.length} orders, ` +
      `${released.length} numbers released, ${owned.length} kept`,
  );
  return verifyPurchases({
    rows,
    answers,
    asked: count * REQUESTS,
    owned,
    released,
    atLeastBought: broken === null ? NUMBERS / 2 : 0,
    audit: await ledger.audit(),
  });
}

/** Every second number is released, while a process dies. @returns the ids whose release was acknowledged */
async function release(
  cluster: Cluster,
  accounts: readonly TestAccount[],
  rows: readonly NumberRow[],
): Promise<number[]> {
  const leaving = rows.filter(({ state }, index) => state === 'active' && index % 2 === 0);
  const crash = sleep(50).then(() => cluster.crash(0));
  const acknowledged = leaving.map(async ({ id, account }, index) => {
    const token = accounts.find((one) => one.id === account)?.token;
    for (let turn = index, end = Date.now() + TIMEOUT_MS; Date.now() < end; turn++) {
      const status = await fetch(`${cluster.urlOf(turn % 2)}/api/user/phone-numbers/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      }).then(
        (response) => response.status,
        () => null,
      );
      // 404: an earlier request of this loop had no response and took effect.
      if (status === 200 || status === 404) return id;
      await sleep(RETRY_PAUSE_MS);
    }
    return null;
  });
  const released = await Promise.all(acknowledged);
  await crash;
  return released.filter((id) => id !== null);
}

/** Requests of all accounts in turn, to the processes in turn, each with a key of its own. */
function askForOne(
  cluster: Cluster,
  accounts: readonly TestAccount[],
  number: string,
): Promise<PurchaseResponse | null>[] {
  return Array.from({ length: REQUESTS }, async (_, index) => {
    const account = accounts[index % accounts.length];
    return account ? askSurely(cluster, account, number, index) : null;
  });
}

/** Repeats the request with its key until it gets a final response; a 500 is final. Null without one. */
async function askSurely(
  cluster: Cluster,
  { id: account, token }: TestAccount,
  number: string,
  first: number,
): Promise<PurchaseResponse | null> {
  const key = randomUUID();
  for (let turn = first, end = Date.now() + TIMEOUT_MS; Date.now() < end; turn++) {
    const api = new Api(cluster.urlOf(turn % 2), token);
    const answer = await api
      .post('/user/phone-numbers/purchase', { phone_number: number }, key)
      .catch(() => null);
    if (answer && !RETRYABLE.has(answer.status)) {
      const { message = '', data } = JSON.parse(answer.text) as { message?: string; data?: { id: number } };
      const isConfirmed = message === 'Phone number purchased successfully';
      return { account, number, status: answer.status, id: data?.id ?? null, isConfirmed };
    }
    await sleep(RETRY_PAUSE_MS);
  }
  return null;
}

function byStatus(answers: PurchaseResponse[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}
