import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import type { NumberRow, YearObservations } from '../verifiers/numbers.js';
import { Api } from './api.js';
import type { Cluster } from './cluster.js';
import { say } from './fault-run.js';
import { numbersAtCarrier, type NumberQueries } from './number-queries.js';
import { waitUntilIdle } from './wait-until-idle.js';

/** Longer than a year, shorter than 13 months. */
const DAYS = 372;
const GRACE_DAYS = 3;
const OF_EACH_KIND = 5;
/** Units of the currency for a month. */
const PRICE = 2;
const PRICE_MICROS = 2_000_000n;
const SETTLE_MS = 90_000;
/** Days on which a process is killed while subscriptions are renewed. */
const KILLS = new Set([92, 245]);

interface Customer {
  name: string;
  account: TestAccount;
  numberId: number;
  expected: YearObservations['subscriptions'][number]['expected'];
  /** Pays again two days after the balance ran out. */
  isRescued: boolean;
  unpaidDays: number;
  graceDays: number | null;
  wasActiveInGrace: boolean;
}

interface Kind {
  name: string;
  /** Months that the balance covers. */
  months: number;
  isRescued: boolean;
  expected: Customer['expected'];
}

const KINDS: Kind[] = [
  {
    name: 'rich',
    months: 13,
    isRescued: false,
    expected: { months: 13, state: 'active', graceDays: null },
  },
  {
    name: 'poor',
    months: 5,
    isRescued: false,
    expected: { months: 5, state: 'released', graceDays: GRACE_DAYS },
  },
  {
    name: 'rescued',
    months: 5,
    isRescued: true,
    expected: { months: 13, state: 'active', graceDays: null },
  },
];

/** A year of subscriptions, in steps of a day: the rows are moved into the past. */
export async function simulateYear({
  cluster,
  numbers,
}: {
  cluster: Cluster;
  numbers: NumberQueries;
}): Promise<YearObservations['subscriptions']> {
  const customers: Customer[] = [];
  for (const kind of KINDS) {
    for (let index = 0; index < OF_EACH_KIND; index++) {
      customers.push(await subscribe(cluster, kind, `+1212${3_450_000 + customers.length}`));
    }
  }
  for (let day = 1; day <= DAYS; day++) {
    await numbers.letDayPass();
    const killed = KILLS.has(day) ? cluster.crash(day % 2) : null;
    await waitUntilIdle(() => numbers.underWay(), SETTLE_MS);
    await killed;
    await observe(customers, numbers);
  }
  say(`${customers.length} subscriptions over ${DAYS} days`);
  const [rows, owned] = [await numbers.rows(), new Set(await numbersAtCarrier(cluster.sandbox.url))];
  return customers.map(({ name, expected, graceDays, wasActiveInGrace, numberId }) => {
    const row = rowOf(rows, numberId);
    return { name, expected, row, graceDays, wasActiveInGrace, isAtCarrier: owned.has(row.number) };
  });
}

async function subscribe(cluster: Cluster, kind: Kind, number: string): Promise<Customer> {
  const { name, months, expected, isRescued } = kind;
  // Half a month is left over.
  const account = await anAccount({ balance: PRICE * (months + 0.5) });
  const api = new Api(cluster.url, account.token);
  const { data } = await api.created<{ data: { id: number } }>('/user/phone-numbers/purchase', {
    phone_number: number,
  });
  const observed = { unpaidDays: 0, graceDays: null, wasActiveInGrace: true };
  return { name: `${name} ${number}`, account, numberId: data.id, expected, isRescued, ...observed };
}

async function observe(customers: readonly Customer[], numbers: NumberQueries): Promise<void> {
  const rows = await numbers.rows();
  for (const customer of customers) {
    const row = rowOf(rows, customer.numberId);
    if (row.state !== 'active') customer.graceDays ??= customer.unpaidDays;
    else if (row.isUnpaid) {
      customer.unpaidDays++;
      customer.wasActiveInGrace &&= row.isActive;
      if (customer.isRescued && customer.unpaidDays === GRACE_DAYS) {
        await numbers.topUp(customer.account, 10n * PRICE_MICROS, `year ${customer.numberId}`);
      }
    }
  }
}

function rowOf(rows: readonly NumberRow[], id: number): NumberRow {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`number ${id} is gone`);
  return row;
}
