/** npm run bench -- dialer: how fast one worker places the calls of its campaigns in the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { anAccount } from './support/account.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import { above, below, type Finding } from './support/findings.js';
import { shoot } from './support/load.js';
import { positive } from './support/pace.js';
import { say } from './support/progress.js';
import { startService } from './support/service.js';
import { assistantBody } from './rest/bodies.js';

const ACCOUNTS = 10;
const CAMPAIGNS_OF_EACH = 5;
const LEADS = positive('BENCH_DIALS', 1_000);
const TARGET_PER_SECOND = 50;
const PATIENCE_MS = 120_000;

interface Dial {
  kind: string;
  at: string;
  to: string;
}

export async function run(): Promise<Finding[]> {
  const database = await openDatabase();
  // Quick callees free their slots early; what is measured is the worker, not their patience.
  const service = await startService(database, { SANDBOX_SPEED: '20' });
  try {
    await startCampaigns(database, service.url);
    const dials = await allDials(database);
    const numbers = new Set(dials.map(({ to }) => to));
    return [
      above('calls placed by one worker', '/s', TARGET_PER_SECOND, perSecond(dials)),
      below('numbers dialled twice', 'numbers', 0, dials.length - numbers.size),
    ];
  } finally {
    await service.stop();
    await database.close();
  }
}

/** Campaigns of several accounts, each with its share of the leads, started one right after the other. */
async function startCampaigns({ pool }: BenchDatabase, url: string): Promise<void> {
  const http = new Pool(url);
  const campaigns: { id: number; headers: Record<string, string> }[] = [];
  for (let number = 0; number < ACCOUNTS; number++) {
    const account = await anAccount(pool, `dialer-${number}`);
    const { headers } = account;
    const post = async (path: string, body: object): Promise<number> => {
      const answer = await shoot(http, { method: 'POST', path, headers, body: JSON.stringify(body) });
      return (JSON.parse(answer) as { data: { id: number } }).data.id;
    };
    const assistant_id = await post('/api/user/assistant', {
      ...assistantBody(number),
      is_webhook_active: false,
    });
    for (let index = 0; index < CAMPAIGNS_OF_EACH; index++) {
      const id = await post('/api/user/campaigns', {
        name: `Campaign ${index}`,
        assistant_id,
        max_calls_in_parallel: 10,
      });
      campaigns.push({ id, headers });
    }
  }
  // Everybody is a polite human whose number begins like this.
  await pool.query(
    `INSERT INTO leads (account_id, campaign_id, phone_number)
     SELECT account_id, id, '+1' || 2150000000 + row_number() OVER () FROM campaigns, generate_series(1, $1::int)`,
    [Math.ceil(LEADS / campaigns.length)],
  );
  for (const { id, headers } of campaigns) {
    const body = JSON.stringify({ campaign_id: id, action: 'start' });
    await shoot(http, { method: 'POST', path: '/api/user/campaigns/update-status', headers, body });
  }
  await http.close();
}

/** What physically happened, out of the carrier's own book. */
async function allDials({ dataDir, pool }: BenchDatabase): Promise<Dial[]> {
  const { rows } = await pool.query<{ leads: number }>('SELECT count(*)::int AS leads FROM leads');
  const leads = rows[0]?.leads ?? 0;
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    const dials = readDials(dataDir);
    say(`dialer: ${dials.length} of ${leads} dialled`);
    if (dials.length >= leads) return dials;
    if (Date.now() > end) throw new Error(`${dials.length} of ${leads} leads were dialled in time`);
  }
}

function readDials(dataDir: string): Dial[] {
  const lines = readFileSync(join(dataDir, 'sandbox-journal.jsonl'), 'utf8').trimEnd().split('\n');
  const complete = lines.filter((line) => line.endsWith('}'));
  return complete.map((line) => JSON.parse(line) as Dial).filter(({ kind }) => kind === 'dial');
}

function perSecond(dials: readonly Dial[]): number {
  const times = dials.map(({ at }) => Date.parse(at));
  return ((dials.length - 1) * 1000) / (Math.max(...times) - Math.min(...times));
}
