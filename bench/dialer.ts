/** npm run bench -- dialer: calls per second that one worker places in the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool as Database } from 'pg';
import { Pool } from 'undici';
import { EVENTS_CHANNEL } from '#src/events/domain-events.service.js';
import { CampaignStarted } from '#src/modules/campaigns/campaign.types.js';
import { SANDBOX_ACCOUNT_SID, SANDBOX_API_KEY, SANDBOX_AUTH_TOKEN } from '../sandbox/defaults.js';
import { assistantBody } from './rest/bodies.js';
import { anAccount } from './support/account.js';
import { startChild } from './support/child.js';
import { openDatabase } from './support/database.js';
import { above, below, type Finding } from './support/findings.js';
import { shoot } from './support/load.js';
import { positive } from './support/pace.js';
import { say } from './support/progress.js';
import { startService } from './support/service.js';

const DIALS = positive('BENCH_DIALS', 500);
/** Always busy, so that conversations are not part of the measurement. */
const CALLEE = '+15005550003';
const TARGET_PER_SECOND = 50;
const TIMEOUT_MS = 120_000;
const AT_A_TIME = 10;

interface Dial {
  kind: string;
  at: string;
  from: string;
  to: string;
}

export async function run(): Promise<Finding[]> {
  const database = await openDatabase();
  // In its own process, as a real carrier.
  const carrier = await startChild(
    ['dist/sandbox/main.js'],
    { DATA_DIR: database.dataDir, SANDBOX_SPEED: '4' },
    '/health',
  );
  const service = await startService(database, {
    TWILIO_ACCOUNT_SID: SANDBOX_ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: SANDBOX_AUTH_TOKEN,
    TWILIO_API_URL: carrier.url,
    LLM_BASE_URL: `${carrier.url}/v1`,
    LLM_API_KEY: SANDBOX_API_KEY,
  });
  try {
    await prepareCampaigns(database.pool, service.url);
    await startAll(database.pool);
    const dials = await allDials(join(database.dataDir, 'sandbox-journal.jsonl'));
    const leads = new Set(dials.map(({ from, to }) => `${from} ${to}`));
    return [
      above('calls placed by one worker', '/s', TARGET_PER_SECOND, perSecond(dials)),
      below('leads dialled twice', 'leads', 0, dials.length - leads.size),
    ];
  } finally {
    await service.stop();
    await carrier.stop();
    await database.close();
  }
}

/**
 * One campaign with one lead for each account: an account can have one live call to a number at a time. Each account
 * has its own number, by which duplicate calls are found.
 */
async function prepareCampaigns(pool: Database, url: string): Promise<void> {
  say(`dialer: preparing ${DIALS} campaigns`);
  const http = new Pool(url, { connections: AT_A_TIME });
  let number = 0;
  const prepare = async (): Promise<void> => {
    while (number < DIALS) {
      const { headers } = await anAccount(pool, `dialer-${number++}`);
      const post = async (path: string, body: object): Promise<number> => {
        const answer = await shoot(http, { method: 'POST', path, headers, body: JSON.stringify(body) });
        return (JSON.parse(answer) as { data: { id: number } }).data.id;
      };
      const assistant_id = await post('/api/user/assistant', assistantBody(number));
      const campaign_id = await post('/api/user/campaigns', { name: 'Spring offer', assistant_id });
      await post('/api/user/lead', { campaign_id, phone_number: CALLEE });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, prepare));
  await http.close();
}

/** Starts all campaigns by SQL at the same time, so that API requests are not part of the measurement. */
async function startAll(pool: Database): Promise<void> {
  await pool.query(
    `WITH started AS (UPDATE campaigns SET status = 'in-progress' RETURNING id, account_id),
     told AS (
       INSERT INTO domain_events (kind, payload)
       SELECT $1, jsonb_build_object('campaignId', id, 'accountId', account_id) FROM started)
     SELECT pg_notify($2, '')`,
    [CampaignStarted.name, EVENTS_CHANNEL],
  );
}

/** Dials in the sandbox's journal. */
async function allDials(journal: string): Promise<Dial[]> {
  for (const end = Date.now() + TIMEOUT_MS; ; await sleep(500)) {
    const dials = readDials(journal);
    say(`dialer: ${dials.length} of ${DIALS} dialled`);
    // Waits after the last dial, to find duplicates.
    if (dials.length >= DIALS) return sleep(2_000).then(() => readDials(journal));
    if (Date.now() > end) throw new Error(`${dials.length} of ${DIALS} leads were dialled in time`);
  }
}

function readDials(journal: string): Dial[] {
  const lines = readFileSync(journal, 'utf8').split('\n');
  // The last line may be incomplete.
  const entries = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Dial);
  return entries.filter(({ kind }) => kind === 'dial');
}

function perSecond(dials: readonly Dial[]): number {
  const times = dials.map(({ at }) => Date.parse(at));
  return ((dials.length - 1) * 1000) / (Math.max(...times) - Math.min(...times));
}
