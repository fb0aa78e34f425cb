/**
 * npm run bench -- sms: sending SMS, compared with a loop of the charging statement alone and with a plain service.
 * BENCH_FORMER=<directory of another build of the service> compares its CPU time too.
 */
import pg from 'pg';
import { CpuTreeMeter } from '../faults/support/cpu-meter.js';
import { CARRIER } from './sms/carrier.js';
import { startCarrier } from './sms/carrier-process.js';
import { SmsServer, type SmsCost } from './sms/sms-server.js';
import { anAccount, type BenchAccount } from './support/account.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import { above, atLeast, below, noted, type Finding } from './support/findings.js';
import { ownCpuMs } from './support/report-on-request.js';
import type { Shot } from './support/load.js';
import { positive, ROUNDS, SECONDS } from './support/pace.js';
import { say } from './support/progress.js';
import { SERVICE } from '../harness/server-process.js';
import { median } from './support/stats.js';

const ACCOUNTS = positive('BENCH_ACCOUNTS', 1_000);
const MAX_STATEMENTS = 5;
/** Messages per second, as a multiple of a service with one transaction for each. */
const MIN_OF_PLAIN = 3;
/**
 * Messages in progress at a time: most of the time of each is a wait for the carrier and for commits. 64 do not use
 * the service fully; 256 send hardly more per second than 128.
 */
const CONCURRENCY = positive('BENCH_CONCURRENCY', 128);
/** Of the bare statement: more than two processors use, less than the database's limit. */
const MAX_CONNECTIONS = 32;

/** Code is compiled during the first requests, which take three times as long. */
const WARM_ROUNDS = 3;

interface Sender extends BenchAccount {
  phoneNumberId: number;
}

/** Of the bare statement. `cpuMs`: of this process and the database. */
interface BareCost {
  perSecond: number;
  cpuMs: number;
}

/** The sides of an alternating measurement, one round each. */
interface Sides {
  bare: () => Promise<BareCost>;
  servers: Record<string, () => Promise<SmsCost>>;
}

export async function run(): Promise<Finding[]> {
  const database = await openDatabase();
  const carrier = await startCarrier();
  const env = {
    TWILIO_ACCOUNT_SID: CARRIER.accountSid,
    TWILIO_AUTH_TOKEN: CARRIER.authToken,
    TWILIO_API_URL: carrier.url,
    LLM_BASE_URL: `${carrier.url}/v1`,
    LLM_API_KEY: CARRIER.apiKey,
  };
  const entries: Record<string, string[]> = {
    service: [SERVICE],
    plain: ['dist/tooling/bench/peer/plain-sms.js'],
    ...(process.env.BENCH_FORMER && { former: [`${process.env.BENCH_FORMER}/dist/src/main.js`] }),
  };
  const servers: Record<string, SmsServer> = {};
  try {
    const senders = await someSenders(database);
    for (const [name, entry] of Object.entries(entries))
      servers[name] = await SmsServer.start(database, name, entry, env);
    return [
      ...(await measure(database, servers, `${senders.length} accounts`, senders)),
      ...(await measure(database, servers, 'one hot account', senders.slice(0, 1))),
    ];
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    await carrier.stop();
    await database.close();
  }
}

async function measure(
  database: BenchDatabase,
  servers: Record<string, SmsServer>,
  what: string,
  senders: Sender[],
): Promise<Finding[]> {
  say(`sms: ${what}`);
  const sides: Sides = { bare: () => bareStatement(database, senders), servers: {} };
  for (const [name, server] of Object.entries(servers))
    sides.servers[name] = () => server.send(shots(senders), CONCURRENCY);
  const { service } = servers;
  if (service) sides.servers['with a key'] = () => service.send(shots(senders, true), CONCURRENCY);
  const { bare, costs } = await inTurns(sides);
  const { service: own, plain, former, 'with a key': keyed } = costs;
  if (!own || !plain || !keyed) throw new Error('nothing was measured');
  return [
    atLeast(`${what}: SMS sent, plain service`, '/s', MIN_OF_PLAIN, {
      peer: plain.perSecond,
      own: own.perSecond,
    }),
    noted(`${what}: SMS sent, bare statement`, '/s', own.perSecond, bare.perSecond),
    noted(
      `${what}: SMS for a second of CPU time with the database's, bare statement`,
      '',
      1000 / allMs(own),
      1000 / bare.cpuMs,
    ),
    noted(`${what}: CPU for one SMS, plain service`, 'ms', own.cpuMs, plain.cpuMs),
    ...(former
      ? [
          noted(`${what}: CPU for one SMS, former build`, 'ms', own.cpuMs, former.cpuMs),
          noted(`${what}: statements for one SMS, former build`, '', own.statements, former.statements),
          above(`${what}: CPU of the former build for ours`, '×', 3, former.cpuMs / own.cpuMs),
        ]
      : []),
    below(`${what}: statements for one SMS`, 'statements', MAX_STATEMENTS, own.statements),
    noted(`${what}: statements for one SMS, plain service`, '', own.statements, plain.statements),
    noted(`${what}: BEGIN and COMMIT, plain service`, '', own.frames, plain.frames),
    below(`${what}: statements for one SMS with a key`, 'statements', MAX_STATEMENTS, keyed.statements),
    noted(`${what}: CPU for one SMS with a key`, 'ms', keyed.cpuMs),
  ];
}

/** Warms up all sides, then measures them alternately. @returns the medians */
async function inTurns(sides: Sides): Promise<{ bare: BareCost; costs: Record<string, SmsCost> }> {
  const bares: BareCost[] = [];
  const costs: Record<string, SmsCost[]> = {};
  for (const send of Object.values(sides.servers))
    for (let round = 0; round < WARM_ROUNDS; round++) await send();
  for (let round = 0; round < ROUNDS; round++) {
    bares[round] = await sides.bare();
    for (const [name, send] of Object.entries(sides.servers)) (costs[name] ??= [])[round] = await send();
  }
  const of = (all: SmsCost[], part: keyof SmsCost): number => median(all.map((cost) => cost[part]));
  const medians = Object.entries(costs).map(([name, all]): [string, SmsCost] => [
    name,
    {
      perSecond: of(all, 'perSecond'),
      statements: of(all, 'statements'),
      frames: of(all, 'frames'),
      cpuMs: of(all, 'cpuMs'),
      databaseMs: of(all, 'databaseMs'),
    },
  ]);
  const bare = {
    perSecond: median(bares.map(({ perSecond }) => perSecond)),
    cpuMs: median(bares.map(({ cpuMs }) => cpuMs)),
  };
  return { bare, costs: Object.fromEntries(medians) };
}

const allMs = ({ cpuMs, databaseMs }: SmsCost): number => cpuMs + databaseMs;

let shotsMade = 0;

const shots =
  (senders: Sender[], withKey = false) =>
  (): Shot => {
    const { headers, phoneNumberId } = pick(senders, ++shotsMade);
    return {
      method: 'POST',
      path: '/api/user/sms',
      headers: withKey ? { ...headers, 'idempotency-key': `bench-${shotsMade}` } : headers,
      body: JSON.stringify({
        from: phoneNumberId,
        to: '+15005550006',
        body: 'Your appointment is tomorrow.',
      }),
    };
  };

let reference = 0;

/** The charging statement alone, each in its own transaction. */
async function bareStatement({ url, serverPid }: BenchDatabase, senders: Sender[]): Promise<BareCost> {
  const database = new CpuTreeMeter(await serverPid());
  const cpuBefore = database.read() + ownCpuMs();
  const pool = new pg.Pool({ connectionString: url, max: Math.min(CONCURRENCY, MAX_CONNECTIONS) });
  const started = performance.now();
  const end = started + SECONDS * 1000;
  let posted = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      await pool.query(
        `WITH moved AS (
           UPDATE accounts SET balance_micros = balance_micros - 1, updated_at = now()
            WHERE id = $1 AND balance_micros >= 1 RETURNING balance_micros)
         INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
         SELECT $1, 'sms', $2, -1, balance_micros FROM moved`,
        [pick(senders, posted++).id, `bench-${reference++}`],
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, loop));
    return {
      perSecond: (posted * 1000) / (performance.now() - started),
      cpuMs: (database.read() + ownCpuMs() - cpuBefore) / posted,
    };
  } finally {
    await pool.end();
  }
}

async function someSenders(database: BenchDatabase): Promise<Sender[]> {
  const senders: Sender[] = [];
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = await anAccount(database.pool, `bench-${index}`);
    const { rows } = await database.pool.query<{ id: number }>(
      'SELECT id FROM phone_numbers WHERE account_id = $1',
      [account.id],
    );
    senders.push({ ...account, phoneNumberId: rows[0]?.id ?? 0 });
  }
  return senders;
}

function pick<T>(items: readonly T[], turn: number): T {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error('there are no accounts');
  return item;
}
