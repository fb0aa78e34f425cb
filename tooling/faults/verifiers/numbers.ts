export interface NumberRow {
  id: number;
  account: number;
  number: string;
  state: string;
  months: number;
  price: bigint;
  isUnpaid: boolean;
  isActive: boolean;
  /** Sum of the ledger entries: charges minus refunds. */
  paid: bigint;
}

/** The final response to a purchase. */
export interface PurchaseResponse {
  account: number;
  number: string;
  status: number;
  /** Of the number; null when the response has none. */
  id: number | null;
  /** False: the carrier had not confirmed the purchase yet. */
  isConfirmed: boolean;
}

export interface PurchaseObservations {
  rows: NumberRow[];
  answers: PurchaseResponse[];
  /** Number of requests. */
  asked: number;
  /** Numbers that the carrier bills. */
  owned: string[];
  /** Ids of numbers whose release was acknowledged. */
  released: number[];
  /** Minimum of bought numbers: a run in which all purchases fail must not pass. */
  atLeastBought: number;
  /** Findings of the ledger audit. */
  audit: string[];
}

/**
 * Every number is bought at the carrier, recorded and paid once, or none of it; the clients' responses match. A
 * released one is not billed any more.
 */
export function verifyPurchases({
  rows,
  answers,
  asked,
  owned,
  released,
  atLeastBought,
  audit,
}: PurchaseObservations): string[] {
  const bought = rows.filter(({ state }) => state !== 'failed');
  const active = rows.filter(({ state }) => state === 'active');
  const atCarrier = new Set(owned);
  const kept = new Set(active.map(({ number }) => number));
  return [
    ...(bought.length < atLeastBought
      ? [`only ${bought.length} of ${atLeastBought} numbers were bought`]
      : []),
    ...(answers.length < asked ? [`${asked - answers.length} of ${asked} requests were never answered`] : []),
    ...repeated(bought.map(({ number }) => number)).map((number) => `${number} belonged to two accounts`),
    ...repeated(owned).map((number) => `${number} was bought twice`),
    ...owned
      .filter((number) => !kept.has(number))
      .map((number) => `the carrier bills ${number}, nobody has it`),
    ...[...kept]
      .filter((number) => !atCarrier.has(number))
      .map((number) => `the carrier does not have ${number}`),
    ...rows.flatMap((row) => unsettled(row, released)),
    ...rows
      .filter((row) => row.paid !== dueFor(row))
      .map(({ number, state, paid }) => {
        return `${paid} micro-units were taken for ${number} (${state})`;
      }),
    ...answers.flatMap((answer) => wrongAnswer(answer, rows)),
    ...audit,
  ];
}

export interface YearObservations {
  subscriptions: {
    name: string;
    expected: { months: number; state: 'active' | 'released'; graceDays: number | null };
    row: NumberRow;
    /** Days from the first unpaid one until the number was withdrawn; null: it was not. */
    graceDays: number | null;
    /** It was active on each of these days. */
    wasActiveInGrace: boolean;
    isAtCarrier: boolean;
  }[];
  audit: string[];
}

/** Every month is paid once; without payment a number stays active for the days of grace and is then released. */
export function verifyYear({ subscriptions, audit }: YearObservations): string[] {
  const wrong = subscriptions.flatMap(({ name, expected, row, graceDays, wasActiveInGrace, isAtCarrier }) =>
    [
      row.months === expected.months || `${row.months} months instead of ${expected.months}`,
      row.paid === row.price * BigInt(expected.months) || `${row.paid} micro-units were taken`,
      row.state === expected.state || `${row.state} instead of ${expected.state}`,
      graceDays === expected.graceDays || `${graceDays} days of grace instead of ${expected.graceDays}`,
      wasActiveInGrace || 'not active in the days of grace',
      isAtCarrier === (expected.state === 'active') ||
        `the carrier ${isAtCarrier ? 'has' : 'does not have'} it`,
    ].flatMap((problem) => (problem === true ? [] : [`${name}: ${problem}`])),
  );
  return [...wrong, ...audit];
}

const dueFor = ({ state, price, months }: NumberRow): bigint =>
  state === 'failed' ? 0n : price * BigInt(months);

function unsettled({ id, number, state }: NumberRow, released: readonly number[]): string[] {
  const expected = released.includes(id) ? ['released'] : ['active', 'failed'];
  return expected.includes(state) ? [] : [`${number} is ${state} instead of ${expected.join(' or ')}`];
}

function wrongAnswer(
  { account, number, status, id, isConfirmed }: PurchaseResponse,
  rows: NumberRow[],
): string[] {
  if (status !== 201) {
    const isTold = status === 422 || status === 500;
    const mine = rows.some(
      (row) => row.account === account && row.number === number && row.state === 'active',
    );
    // Another request of the account may have bought it.
    return isTold || mine ? [] : [`a purchase of ${number} was answered ${status}`];
  }
  const row = rows.find((one) => one.id === id);
  if (row?.account !== account || row.number !== number) return [`an answer names number ${id}, not its own`];
  const isSettled = row.state !== 'failed' || !isConfirmed;
  return isSettled ? [] : [`${number} was confirmed to its buyer and is ${row.state}`];
}

function repeated(values: string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
