import { describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import type { DomainEventsService } from '#src/events/domain-events.service.js';
import { anAuditService } from '#src/modules/audit/audit.fake.js';
import { CampaignDiallingService } from '#src/modules/campaigns/campaign-dialling.service.js';
import type { CampaignDataRegistryService } from '#src/modules/campaigns/campaign-data-registry.service.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, BUSY } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { asleep, isDialled, switchTo } from '../support/dialling.js';
import { until } from '../support/until.js';

/** A campaign in progress, and its lead, which nobody calls. */
async function anIdleCampaign() {
  const user = await anAccount();
  const assistant_id = await anAssistant(user);
  const id = await aCampaign(user, { assistant_id, mark_complete_when_no_leads: false });
  const lead = await aLead(user, id, { phone_number: BUSY });
  await user.client.put(`/user/leads/${lead.id}`, { status: 'completed' });
  const toQueue = () => user.client.put(`/user/leads/${lead.id}`, { status: 'created' });
  return { user, id, lead, toQueue };
}

/** Connections of the service that wait for an advisory lock. */
async function waiting(): Promise<number> {
  const { rows } = await database().query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE '%leads%'`,
  );
  return rows[0]?.n ?? 0;
}

describe('a lead that changes while its campaign becomes idle', () => {
  it('waits for the dialler, and resumes the campaign', async () => {
    const { user, id, lead, toQueue } = await anIdleCampaign();
    await switchTo(user, id, 'start');
    await asleep(id);
    const dialler = await database().connect();
    try {
      // What the dialler does after it has found no lead, for the moment in which the lead changes.
      await dialler.query('BEGIN');
      await dialler.query('SELECT pg_advisory_xact_lock($1, $2)', [ADVISORY_LOCKS.campaignSleep, id]);
      const change = toQueue();
      await until(async () => (await waiting()) > 0);
      await dialler.query('COMMIT');
      expect((await change).status).toBe(200);
    } finally {
      dialler.release();
    }
    await isDialled(lead.id);
  });

  it('keeps the campaign active until it is stored', async () => {
    const { user, id, lead, toQueue } = await anIdleCampaign();
    const later = await aCampaign(user, {
      assistant_id: await anAssistant(user),
      mark_complete_when_no_leads: false,
    });
    const change = await database().connect();
    try {
      await change.query('BEGIN');
      await change.query('SELECT pg_advisory_xact_lock_shared($1, $2)', [ADVISORY_LOCKS.campaignSleep, id]);
      await switchTo(user, id, 'start');
      await switchTo(user, later, 'start');
      // The account's campaigns have their turns in the order in which they were begun.
      await asleep(later);
      const { rows } = await database().query(`SELECT wake_at <= now() AS due FROM campaigns WHERE id = $1`, [
        id,
      ]);
      expect(rows).toEqual([{ due: true }]);
      await change.query('COMMIT');
    } finally {
      change.release();
    }
    await asleep(id);
    expect((await toQueue()).status).toBe(200);
    await isDialled(lead.id);
  });
});

async function untilBlockedBy(client: PoolClient): Promise<void> {
  const { rows: own } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await until(async () => {
    const { rows } = await database().query(
      `SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))`,
      [own[0]?.pid],
    );
    return rows.length > 0;
  });
}

/** Adds a lead; `work` happens while it is neither stored nor refused. */
async function whileAdding(
  user: TestAccount,
  campaignId: number,
  fields: object,
  work: () => Promise<void>,
): Promise<TestLead> {
  const phone_number = aNumber();
  const other = await database().connect();
  try {
    // The same number, by somebody who gives up.
    await other.query('BEGIN');
    await other.query('SET LOCAL session_replication_role = replica');
    await other.query(
      `INSERT INTO leads (account_id, campaign_id, phone_number, variables) VALUES ($1, $2, $3, '{}')`,
      [user.id, campaignId, phone_number],
    );
    const adding = aLead(user, campaignId, { phone_number, ...fields });
    await untilBlockedBy(other);
    await work();
    await other.query('ROLLBACK');
    return await adding;
  } finally {
    other.release(true);
  }
}

const setCampaigns = (ids: number[], assignments: string) =>
  database().query(`UPDATE campaigns SET ${assignments} WHERE id = ANY($1)`, [ids]);

it('a lead that is added while its campaign completes is called', async () => {
  const user = await anAccount();
  const assistant_id = await anAssistant(user);
  const id = await aCampaign(user, { assistant_id });
  const called = await aLead(user, id, { phone_number: BUSY });
  await user.client.put(`/user/leads/${called.id}`, { status: 'completed' });
  const later = await aCampaign(user, { assistant_id, mark_complete_when_no_leads: false });
  await setCampaigns([id, later], `status = 'in-progress', wake_at = 'infinity'`);
  const lead = await whileAdding(user, id, {}, async () => {
    // The account's campaigns have their turns in the order of their ids.
    await setCampaigns([id, later], 'wake_at = now()');
    await asleep(later);
  });
  await isDialled(lead.id);
});

it('a lead that waits for the end of its campaign is called', async () => {
  const user = await anAccount();
  const id = await aCampaign(user, { assistant_id: await anAssistant(user) });
  const dialler = await database().connect();
  try {
    await dialler.query('BEGIN');
    await dialler.query('SELECT pg_advisory_xact_lock($1, $2)', [ADVISORY_LOCKS.campaignSleep, id]);
    await dialler.query(
      `UPDATE campaigns SET status = 'completed', completed_at = now(), wake_at = 'infinity' WHERE id = $1`,
      [id],
    );
    const adding = aLead(user, id, { phone_number: BUSY });
    await untilBlockedBy(dialler);
    await dialler.query('COMMIT');
    await isDialled((await adding).id);
  } finally {
    dialler.release(true);
  }
});

it('a slot that becomes free while a duplicate is added is used', async () => {
  const user = await anAccount();
  const assistant_id = await anAssistant(user);
  const id = await aCampaign(user, { assistant_id });
  const lead = await aLead(user, id, { phone_number: BUSY });
  await setCampaigns(
    [id],
    `status = 'in-progress', waits_for_slot = true, wake_at = now() + interval '1 hour'`,
  );
  await whileAdding(user, id, { allow_dupplicate: true }, async () => {
    await aCall(user, assistant_id, { phoneNumber: '+15005556000' });
    await isDialled(lead.id);
  });
});

it('claims as many due campaigns as there is room for, one of each account before the second of any', async () => {
  const aDraft = async (user: TestAccount, assistant_id: number) => aCampaign(user, { assistant_id });
  const [one, other] = [await anAccount(), await anAccount()];
  const assistantId = await anAssistant(one);
  const own = [await aDraft(one, assistantId), await aDraft(one, assistantId)];
  const others = await aDraft(other, await anAssistant(other));
  const client = await database().connect();
  try {
    // Nobody else sees that they are due.
    await client.query('BEGIN');
    await client.query(
      `UPDATE campaigns SET status = 'in-progress', wake_at = now() - interval '1 second' WHERE id = ANY($1)`,
      [[...own, others]],
    );
    const db = partialFake<DataSource>({
      query: async (sql: string, params: unknown[]) => (await client.query(sql, params)).rows,
    } as Partial<DataSource>);
    const campaigns = new CampaignDiallingService(
      db,
      partialFake<DomainEventsService>({}),
      partialFake<CampaignDataRegistryService>({}),
      anAuditService(),
    );
    expect(await campaigns.findDue(1)).toHaveLength(1);
    const due = (await campaigns.findDue(10_000))
      .map(({ id }) => id)
      .filter((id) => [...own, others].includes(Number(id)));
    expect(due).toEqual([own[0], others, own[1]]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
