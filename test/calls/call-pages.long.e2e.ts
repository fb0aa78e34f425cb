import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database } from '../support/database.js';

interface Row {
  status: string;
  type: string;
  assistant_id: number;
  campaign_id: number | null;
  client_phone_number: string;
  created_at: string;
  deleted_at: string | null;
}
type Call = Row & { id: number; in_new_york: string; in_kolkata: string };
interface Envelope {
  data: { id: number }[];
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
}

/** Of no campaign: other tests count the calls of theirs. */
const CAMPAIGN = 2_100_000_021;
const SIZES = [1, 2, 3, 4, 5, 6, 7];
/** Pages from about this call on are found by the counters of each day. */
const DEEP = 500;
const BUSY_DAY = '2026-03-12';
const COMMON: Row = {
  status: 'completed',
  type: 'outbound',
  assistant_id: 11,
  campaign_id: CAMPAIGN,
  client_phone_number: '+15005550020',
  created_at: `${BUSY_DAY} 12:00:00`,
  deleted_at: null,
};

/** Calls of a day by their time; three in a row were created at the same microsecond. */
const onDay = (day: number, count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    status: i % 2 === 0 ? 'completed' : 'no-answer',
    type: i % 3 === 1 ? 'inbound' : 'outbound',
    assistant_id: i % 5 < 3 ? 11 : 12,
    campaign_id: (i + day) % 4 === 0 ? null : CAMPAIGN,
    client_phone_number: i % 7 === 3 ? '+15005550021' : '+15005550020',
    created_at: `2026-03-${String(day).padStart(2, '0')} ${TIMES[Math.floor(i / 3) % TIMES.length]}`,
    deleted_at: null,
  }));

const TIMES = ['00:00:00', '23:59:59.999999', '08:30:00.000001', '08:30:00.000002', '00:00:00.000001'];

/** Days of many calls, of one and of none; the busy day fills the pages that are not deep. */
const ROWS: Row[] = [
  ...[13, 3, 1, 0, 8, 15, 2, 11, 0, 6, 9].flatMap((count, index) => onDay(index + 1, count)),
  ...Array.from({ length: DEEP - 12 }, () => COMMON),
  ...onDay(13, 10),
  ...onDay(14, 4),
  ...onDay(5, 3).map((row) => ({ ...row, deleted_at: '2026-03-15' })),
  // A day on which nothing is left.
  ...onDay(4, 3).map((row) => ({ ...row, deleted_at: '2026-03-15' })),
];

async function insert(account: TestAccount, rows: Row[]): Promise<void> {
  // Two statements: the counters then have rows that take back others.
  await database().query(
    `INSERT INTO calls (account_id, status, type, assistant_id, assistant_name, campaign_id, token,
       assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration, created_at)
     SELECT $1, 'ringing', type, assistant_id, 'Ada', campaign_id, gen_random_uuid()::text, '+15005550022',
            client_phone_number, json_build_object('status', status, 'deleted_at', deleted_at), 0, 600,
            created_at AT TIME ZONE 'UTC'
       FROM jsonb_to_recordset($2) AS r(type text, assistant_id int, campaign_id int, client_phone_number text,
         status text, deleted_at text, created_at timestamp)`,
    [account.id, JSON.stringify(rows)],
  );
  await database().query(
    `UPDATE calls SET status = variables ->> 'status', deleted_at = (variables ->> 'deleted_at')::timestamptz
      WHERE account_id = $1 AND status = 'ringing'`,
    [account.id],
  );
}

describe('pages of calls', () => {
  let mine: TestAccount;
  /** Newest first. */
  let calls: Call[];

  beforeAll(async () => {
    const others = await anAccount();
    mine = await anAccount();
    await insert(mine, ROWS.slice(0, 40));
    await insert(others, onDay(3, 5));
    await insert(mine, ROWS.slice(40));
    const { rows } = await database().query<Call>(
      `SELECT id, status, type, assistant_id, campaign_id, client_phone_number, deleted_at,
              to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS created_at,
              to_char(created_at AT TIME ZONE 'America/New_York', 'YYYY-MM-DD') AS in_new_york,
              to_char(created_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') AS in_kolkata
         FROM calls WHERE account_id = $1 AND deleted_at IS NULL ORDER BY calls.created_at DESC, id DESC`,
      [mine.id],
    );
    calls = rows;
  });

  const read = async (filter: string, page: number, size: number): Promise<Envelope> => {
    const query = `${filter}page=${page}&per_page=${size}`;
    return (await mine.client.get<Envelope>(`/user/calls?${query}`)).body;
  };
  const seen = async (filter: string, page: number, size: number) => {
    const { data, total, last_page, from, to } = await read(filter, page, size);
    return { page, ids: data.map(({ id }) => id), total, last_page, from, to };
  };
  const slice = (list: Call[], page: number, size: number) => {
    const start = (page - 1) * size;
    const ids = list.slice(start, start + size).map(({ id }) => id);
    const [from, to] = ids.length === 0 ? [null, null] : [start + 1, start + ids.length];
    return { page, ids, total: list.length, last_page: Math.max(1, Math.ceil(list.length / size)), from, to };
  };
  /** Compares the pages that have calls from the given one on, and two behind the end. */
  const compare = async (filter: string, list: Call[], size: number, start: number): Promise<void> => {
    const first = Math.floor(start / size) + 1;
    const count = Math.ceil(list.length / size) - first + 3;
    const pages = Array.from({ length: count }, (_, index) => first + index);
    const got = [];
    for (const page of pages) got.push(await seen(filter, page, size));
    expect(got).toEqual(pages.map((page) => slice(list, page, size)));
  };

  const isCommon = (call: Call): boolean => call.status === 'completed' && call.campaign_id === CAMPAIGN;
  const DEEP_FILTERS: [filter: string, matches: (call: Call) => boolean][] = [
    ['', () => true],
    ['status=completed&', ({ status }) => status === 'completed'],
    ['type=outbound&', ({ type }) => type === 'outbound'],
    ['assistant_id=11&', ({ assistant_id }) => assistant_id === 11],
    [`campaign_id=${CAMPAIGN}&`, ({ campaign_id }) => campaign_id === CAMPAIGN],
    ['phone_number=%2B15005550020&', ({ client_phone_number: number }) => number === '+15005550020'],
    ['phone_number=50020&', ({ client_phone_number: number }) => number.includes('50020')],
    ['date_from=2026-03-05&', ({ created_at: day }) => day >= '2026-03-05'],
    ['date_to=2026-03-12&', ({ created_at: day }) => day <= '2026-03-12'],
    ['date_from=2026-03-08&timezone=America/New_York&', ({ in_new_york: day }) => day >= '2026-03-08'],
    [
      'date_from=2026-03-03&date_to=2026-03-13&timezone=Asia/Kolkata&',
      ({ in_kolkata: day }) => day >= '2026-03-03' && day <= '2026-03-13',
    ],
    [`status=completed&campaign_id=${CAMPAIGN}&`, isCommon],
    [
      'status=completed&phone_number=50020&',
      (c) => c.status === 'completed' && c.client_phone_number.endsWith('20'),
    ],
    [
      `status=completed&campaign_id=${CAMPAIGN}&type=outbound&assistant_id=11&date_from=2026-03-01&date_to=2026-03-13&`,
      (call) =>
        isCommon(call) &&
        call.type === 'outbound' &&
        call.assistant_id === 11 &&
        call.created_at < '2026-03-14',
    ],
  ];

  it.each(DEEP_FILTERS)(
    'are slices of the complete list far from its start (%s)',
    async (filter, matches) => {
      const list = calls.filter(matches);
      expect(list.length).toBeGreaterThan(DEEP + 7);
      // The arithmetic is the same for all filters.
      for (const size of filter === '' ? SIZES : [2, 7]) await compare(filter, list, size, DEEP - 7);
    },
  );

  it.each(DEEP_FILTERS)(
    'are slices of the complete list, from the first to the last (%s)',
    async (filter, matches) => {
      for (const size of [37, 100]) await compare(filter, calls.filter(matches), size, 0);
    },
  );

  it.each([
    ['date_to=2026-03-11&', ({ created_at: day }: Call) => day <= '2026-03-11'],
    ['date_from=2026-03-13&', ({ created_at: day }: Call) => day >= '2026-03-13'],
    ['date_from=2026-03-06&date_to=2026-03-06&', ({ created_at: day }: Call) => day === '2026-03-06'],
    ['date_to=2026-03-08&timezone=America/New_York&', (call: Call) => call.in_new_york <= '2026-03-08'],
    [
      'date_from=2026-03-06&date_to=2026-03-06&timezone=America/New_York&',
      (call: Call) => call.in_new_york === '2026-03-06',
    ],
    [
      'date_from=2026-03-06&date_to=2026-03-07&timezone=Asia/Kolkata&type=outbound&',
      (call: Call) => ['2026-03-06', '2026-03-07'].includes(call.in_kolkata) && call.type === 'outbound',
    ],
    ['status=no-answer&', ({ status }: Call) => status === 'no-answer'],
    ['type=inbound&assistant_id=12&', (call: Call) => call.type === 'inbound' && call.assistant_id === 12],
    ['phone_number=%2B15005550021&', (call: Call) => call.client_phone_number === '+15005550021'],
    ['status=busy&', () => false],
  ])('are slices of a short list (%s)', async (filter, matches) => {
    const list = calls.filter(matches);
    for (const size of SIZES) await compare(filter, list, size, 0);
  });

  it('agree with their total while calls arrive and are deleted', async () => {
    const busy = await anAccount();
    await insert(busy, ROWS);
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await insert(busy, onDay(6, 3));
        await database().query(
          `UPDATE calls SET deleted_at = now() WHERE id = (
             SELECT max(id) FROM calls WHERE account_id = $1 AND deleted_at IS NULL)`,
          [busy.id],
        );
      }
    })();
    try {
      for (let page = 60; page < 120; page++) {
        const size = 4 + (page % 7);
        const { status, body } = await busy.client.get<Envelope>(`/user/calls?page=${page}&per_page=${size}`);
        const ids = body.data.map(({ id }) => id);
        expect([status, new Set(ids).size]).toEqual([200, ids.length]);
        const length = Math.min(size, Math.max(0, body.total - (page - 1) * size));
        expect(ids.length).toBe(length);
      }
    } finally {
      isOver = true;
      await writing;
    }
  });
});
