/** npm run bench -- sms: sending SMS, compared with a loop of the charging statement alone. */
import pg from 'pg';
import { startSandbox } from '../sandbox/sandbox.js';
import { anAccount, type BenchAccount } from './support/account.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import { noted, type Finding } from './support/findings.js';
import { inTurns } from './support/in-turns.js';
import { load } from './support/load.js';
import { CONCURRENCY, positive, SECONDS } from './support/pace.js';
import { startService } from './support/service.js';

const ACCOUNTS = positive('BENCH_ACCOUNTS', 1_000);
const CARRIER = { accountSid: `AC${'b'.repeat(32)}`, authToken: 'bench-token', apiKey: 'bench-key' };

interface Sender extends BenchAccount {
  phoneNumberId: number;
}

export async function run(): Promise<Finding[]> {
  const database = await openDatabase();
  // An API process; the carrier runs in another process.
  const carrier = await startSandbox({ port: 0, ...CARRIER, speed: 20 });
  const service = await startService(database, {
    TWILIO_ACCOUNT_SID: CARRIER.accountSid,
    TWILIO_AUTH_TOKEN: CARRIER.authToken,
    TWILIO_API_URL: carrier.url,
    LLM_BASE_URL: `${carrier.url}/v1`,
    LLM_API_KEY: CARRIER.apiKey,
  });
  try {
    const senders = await someSenders(database);
    return [
      await measure(database, service.url, 'SMS sent, one hot account', senders.slice(0, 1)),
      await measure(database, service.url, `SMS sent, ${senders.length} accounts`, senders),
    ];
  } finally {
    await service.stop();
    await carrier.close();
    await database.close();
  }
}

async function measure(
  database: BenchDatabase,
  url: string,
  what: string,
  senders: Sender[],
): Promise<Finding> {
  let turn = 0;
  const next = () => {
    const { headers, phoneNumberId } = pick(senders, turn++);
    const body = JSON.stringify({
      from: phoneNumberId,
      to: '+15005550006',
      body: 'Your appointment is tomorrow.',
    });
    return { method: 'POST', path: '/api/user/sms', headers, body } as const;
  };
  const { peer, own } = await inTurns({
    peer: () => bareStatement(database, senders),
    own: () => load(url, next),
  });
  return noted(what, '/s', own, peer);
}

let reference = 0;

/** The charging statement alone, each in its own transaction. */
async function bareStatement({ url }: BenchDatabase, senders: Sender[]): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CONCURRENCY });
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
    return (posted * 1000) / (performance.now() - started);
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
