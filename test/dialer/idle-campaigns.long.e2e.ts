import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { askForReport } from '../../tooling/bench/support/report-on-request.js';
import { countOf, since, type StatementCounts } from '../../tooling/bench/dialer/statement-counts.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { OwnService } from '../support/own-service.js';
import { until } from '../support/until.js';

const CAMPAIGNS = 1_000;
const WATCHED_MS = 4_000;
const MOST_PER_SECOND = 10;

const COUNTER = pathToFileURL(
  fileURLToPath(new URL('../../dist/tooling/bench/dialer/count-statements.js', import.meta.url)),
);
const dir = mkdtempSync(join(tmpdir(), 'calls-idle-'));
const file = join(dir, 'statements.json');
let own: OwnService;
const counted = (): Promise<StatementCounts> => askForReport(own.service.process.pid ?? 0, file);
/** The dialler's, during the next `WATCHED_MS`. */
async function statementsPerSecond(): Promise<number> {
  const before = await counted();
  await sleep(WATCHED_MS);
  const watched = since(before, await counted());
  return (countOf(watched, ['dial']) * 1_000) / watched.at;
}

beforeAll(async () => {
  const env = { BENCH_REPORT: file, NODE_OPTIONS: `--import=${COUNTER.href}` };
  own = await OwnService.start(undefined, env);
});
afterAll(async () => {
  await own.stop();
  rmSync(dir, { recursive: true, force: true });
});

it('a thousand running campaigns whose leads are due tomorrow cost the dialler at most ten statements a second', async () => {
  const user = await own.account();
  const id = await aCampaign(user, { assistant_id: await anAssistant(user) });
  await own.db.query(
    `WITH copies AS (
       INSERT INTO campaigns (account_id, assistant_id, name, timezone, max_calls_in_parallel,
         allowed_hours_start_time, allowed_hours_end_time, allowed_days, max_retries, retry_interval,
         retry_on_voicemail, retry_on_goal_incomplete, mark_complete_when_no_leads, phone_number_ids)
       SELECT account_id, assistant_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
              allowed_hours_end_time, allowed_days, max_retries, retry_interval, retry_on_voicemail,
              retry_on_goal_incomplete, mark_complete_when_no_leads, phone_number_ids
         FROM campaigns, generate_series(1, $2::int) WHERE id = $1 RETURNING id, account_id)
     INSERT INTO leads (account_id, campaign_id, phone_number, due_at)
     SELECT account_id, id, '+12125551234', now() + interval '1 day' FROM copies`,
    [id, CAMPAIGNS],
  );
  await own.db.query(`UPDATE campaigns SET status = 'in-progress', wake_at = now() WHERE id <> $1`, [id]);
  await until(async () => {
    const { rows } = await own.db.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM campaigns WHERE wake_at > now() + interval '1 hour'`,
    );
    return rows[0]?.n === CAMPAIGNS;
  });
  // A campaign that was enqueued twice has another round after it has got its next time.
  await until(async () => (await statementsPerSecond()) <= MOST_PER_SECOND);
  const { rows } = await own.db.query('SELECT 1 FROM calls');
  expect(rows).toEqual([]);
});
