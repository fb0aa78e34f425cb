import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { anAssistant } from '../../../test/factories/assistant.js';
import { aCampaign } from '../../../test/factories/campaign.js';
import { database } from '../../../test/support/database.js';

export interface NoisyTenant {
  account: TestAccount;
  assistantId: number;
  /** Campaigns whose allowed hours begin in six hours. */
  closedCampaigns: number[];
  /** Large campaigns to delete. */
  spareCampaigns: number[];
  /** An empty campaign for imports. */
  importCampaign: number;
  leadIds: number[];
}

const CLOSED = { campaigns: 4, leads: 15_000 };
const SPARE = { campaigns: 8, leads: 10_000 };
const ACCOUNT_LEADS = 200;

/** Creates an account with 60,000 leads outside their allowed hours and 80,000 in campaigns to delete. */
export async function aNoisyTenant(): Promise<NoisyTenant> {
  const account = await anAccount({ plan: 'unlimited', balance: 10_000 });
  const assistant_id = await anAssistant(account);
  const closed = { assistant_id, ...closedHours(new Date()) };
  const campaigns = (count: number, fields: object): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, () => aCampaign(account, { ...fields })));
  const closedCampaigns = await campaigns(CLOSED.campaigns, closed);
  for (const id of closedCampaigns) await fill(account.id, id, CLOSED.leads);
  const spareCampaigns = await campaigns(SPARE.campaigns, { assistant_id });
  for (const id of spareCampaigns) await fill(account.id, id, SPARE.leads);
  await database().query('ANALYZE leads');
  const { rows } = await database().query<{ id: number }>(
    'SELECT id FROM leads WHERE campaign_id = $1 LIMIT $2',
    [closedCampaigns[0], ACCOUNT_LEADS],
  );
  return {
    account,
    assistantId: assistant_id,
    closedCampaigns,
    spareCampaigns,
    importCampaign: await aCampaign(account, { assistant_id }),
    leadIds: rows.map(({ id }) => id),
  };
}

/** An hour of the day that begins in six hours. */
function closedHours(now: Date): { allowed_hours_start_time: string; allowed_hours_end_time: string } {
  const hour = (ahead: number): string => `${String((now.getUTCHours() + ahead) % 24).padStart(2, '0')}:00`;
  return { allowed_hours_start_time: hour(6), allowed_hours_end_time: hour(7) };
}

async function fill(accountId: number, campaignId: number, leads: number): Promise<void> {
  await database().query(
    `INSERT INTO leads (account_id, campaign_id, phone_number, variables)
     SELECT $1, $2, '+1' || 2130000000 + i, jsonb_build_object('timezone', 'UTC', 'order', i)
       FROM generate_series(1, $3::int) i`,
    [accountId, campaignId, leads],
  );
}
