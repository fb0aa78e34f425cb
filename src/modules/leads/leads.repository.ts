import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { AuditService } from '../audit/audit.service.js';
import { zoneKeyOf } from './zone-key.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PlanLimitReached } from '../accounts/accounts.errors.js';
import { ErasedNumbersService, type ImportBegin } from '../suppressions/erased-numbers.service.js';
import {
  CAMPAIGN_LOCK_SQL,
  CampaignsService,
  type CampaignLockMode,
} from '../campaigns/campaigns.service.js';
import type { LeadResponse } from './dto/lead.response.js';
import type { NewContact, NewLead } from './lead.types.js';
import { DuplicateLead, invalidCampaign } from './leads.errors.js';

/** As `toDateTime` renders a date. */
export const dateTimeSql = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** When a retry or an appointment is due, else null. */
export const nextAttemptSql = (row: string): string =>
  `CASE WHEN ${row}.status IN ('rescheduled', 'scheduled') THEN ${dateTimeSql(`${row}.due_at`)} END`;

const leadFieldsSql = (row: string): string =>
  `'id', ${row}.id, 'phone_number', ${row}.phone_number, 'variables', ${row}.variables, 'status', ${row}.status,
   'attempts', ${row}.attempts, 'next_attempt_at', ${nextAttemptSql(row)}, 'last_outcome', ${row}.last_outcome,
   'created_at', ${dateTimeSql(`${row}.created_at`)}, 'updated_at', ${dateTimeSql(`${row}.updated_at`)}`;

/**
 * SQL of a `LeadResponse` for the row `l` of leads in the row `c` of campaigns. The database renders it, so that
 * a list of any length passes through this process as text. `contacts` is the source of the contacts' rows.
 */
export const leadJsonSql = (contacts = 'leads'): string => `json_build_object(
  'campaign_id', l.campaign_id, ${leadFieldsSql('l')}, 'campaign', json_build_object('id', c.id, 'name', c.name),
  'secondary_contacts', coalesce(
    (SELECT json_agg(json_build_object(${leadFieldsSql('s')}) ORDER BY s.id) FROM ${contacts} s WHERE s.main_lead_id = l.id),
    '[]'))`;

/** FROM clause of `l` and `c`. */
export const LEADS_WITH_CAMPAIGN = 'leads l JOIN all_campaigns c ON c.id = l.campaign_id';

/**
 * Condition on the leads `l` of the account `$1` that hides leads of deleted campaigns, whose rows are still being
 * removed. Evaluated once per statement with an index that is nearly always empty. Not `<> ALL (…)`: the planner
 * estimates that few rows match and sorts all of them for the first page.
 */
export const HAS_LIVE_CAMPAIGN = `l.campaign_id NOT IN (
  SELECT id FROM all_campaigns WHERE account_id = $1 AND deleted_at IS NOT NULL AND leads_removed_at IS NULL)`;

export interface LeadInsertTarget {
  accountId: number;
  campaignId: number;
  allowDuplicates: boolean;
  /** Whether a campaign that completed by itself continues. */
  reopens: boolean;
}

/** Known from the beginning, so that the dialler writes nothing to leads whose window is closed. */
const ZONE = `zone, CASE WHEN zone = '' THEN 'no_timezone' END`;

/**
 * SQL of the number of leads that the plan still allows in a campaign. Concurrent requests do not see each other's
 * leads and can exceed the limit by as many as are in flight.
 */
const CAPACITY_SQL = `(SELECT max_leads_per_campaign FROM account_plans WHERE account_id = $1)
    - coalesce((SELECT sum(n) FROM lead_counts WHERE campaign_id = $2), 0)`;

/**
 * Inserts main leads with their contacts in one statement. The unique index detects numbers that the campaign has
 * already: such a lead is omitted or, when allowed, becomes a duplicate. Rows are inserted in the order of their
 * numbers, so that concurrent inserts do not deadlock. Whether duplicates are allowed is no parameter: by its value the
 * planner would save a part of the statement, and therefore plan every insert anew, which takes longer than to run it.
 *
 * The statement waits for a dialler that is about to complete the campaign without having seen the leads, and then lets
 * `reopen_campaign` read the campaign: a lock FOR KEY SHARE returns the row as it was before the dialler's change.
 */
const insertSql = (mode: CampaignLockMode): string => `
  WITH held AS MATERIALIZED (
    SELECT id, name
      FROM live_campaigns campaign, pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.campaignSleep}, campaign.id)
           ${CAMPAIGN_LOCK_SQL[mode]}
     WHERE account_id = $1 AND id = $2 FOR KEY SHARE OF campaign),
  room AS MATERIALIZED (SELECT ${CAPACITY_SQL} AS n),
  campaign AS MATERIALIZED (SELECT held.* FROM held, room WHERE room.n > 0),
  given AS MATERIALIZED (
    SELECT nextval('leads_id_seq') AS id, g.*
      FROM jsonb_to_recordset($3::jsonb) AS g (phone_number text, variables jsonb, contacts jsonb, zone text)),
  first AS (
    INSERT INTO leads (id, account_id, campaign_id, phone_number, variables, zone, last_outcome) OVERRIDING SYSTEM VALUE
    SELECT given.id, $1, campaign.id, phone_number, variables, ${ZONE} FROM campaign, given ORDER BY phone_number, given.id
    ON CONFLICT (campaign_id, phone_number) WHERE main_lead_id IS NULL AND NOT is_duplicate DO NOTHING
    RETURNING *),
  copy AS (
    INSERT INTO leads (id, account_id, campaign_id, phone_number, variables, zone, last_outcome, is_duplicate) OVERRIDING SYSTEM VALUE
    SELECT given.id, $1, campaign.id, phone_number, variables, ${ZONE}, true FROM campaign, given
     WHERE ${mode === 'alone'} AND given.id NOT IN (SELECT id FROM first)
    RETURNING *),
  lead AS (SELECT * FROM first UNION ALL SELECT * FROM copy),
  contact AS (
    INSERT INTO leads (account_id, campaign_id, main_lead_id, phone_number, variables)
    SELECT $1, lead.campaign_id, lead.id, c.value ->> 'phone_number', c.value -> 'variables'
      FROM lead JOIN given USING (id), jsonb_array_elements(given.contacts) WITH ORDINALITY AS c (value, position)
     ORDER BY lead.id, c.position
    RETURNING *),
  reopened AS (
    SELECT reopen_campaign(held.id) AS id FROM held WHERE $4::boolean AND EXISTS (SELECT 1 FROM lead))`;
const IS_REOPENED = 'EXISTS (SELECT 1 FROM reopened WHERE id IS NOT NULL)';

interface InsertedLead {
  campaign: number | null;
  full: boolean;
  /** The campaign was completed and continues. */
  reopened: boolean;
  lead: LeadResponse | null;
}

export interface InsertedBatch {
  /** Main leads; the campaign has the numbers of the others already. */
  inserted: number;
  /** Numbers that were left out. */
  erased: ReadonlySet<string>;
}

@Injectable()
export class LeadsRepository {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly campaigns: CampaignsService,
    private readonly audit: AuditService,
    private readonly erased: ErasedNumbersService,
  ) {}

  /** @throws Invalid when the campaign is not the account's, PlanLimitReached, DuplicateLead */
  async insertLead(target: LeadInsertTarget, lead: NewLead): Promise<LeadResponse> {
    const sql = `${insertSql(lockModeOf(target))} SELECT (SELECT id FROM held) AS campaign, (SELECT n <= 0 FROM room) AS full,
      ${IS_REOPENED} AS reopened, (SELECT ${leadJsonSql('contact')} FROM lead l, campaign c) AS lead`;
    const { accountId, campaignId } = target;
    const row = await this.audit.change(async (tx, record) => {
      const [inserted]: InsertedLead[] = await tx.query(sql, toParameters(target, [lead]));
      if (inserted?.lead) {
        const details = { campaign_id: campaignId };
        record({ accountId, action: 'lead.create', resourceId: inserted.lead.id, details });
      }
      return inserted;
    });
    if (!row || row.campaign === null) throw invalidCampaign();
    if (row.full) throw await this.toLimitError(accountId);
    if (row.lead === null) throw new DuplicateLead();
    if (row.reopened) await this.campaigns.publishStarted(accountId, campaignId);
    return row.lead;
  }

  /**
   * A batch of an import, without leads and contacts whose erasure was requested after the import began.
   * @param leads no more than there is room for
   * @throws Invalid when the campaign is not the account's
   */
  async insertLeads(target: LeadInsertTarget, leads: NewLead[], begin: ImportBegin): Promise<InsertedBatch> {
    const sql = `${insertSql(lockModeOf(target))} SELECT (SELECT id FROM held) AS campaign,
      ${IS_REOPENED} AS reopened, (SELECT count(*)::int FROM lead) AS inserted`;
    const numbers = leads.flatMap((lead) => [lead, ...lead.contacts].map((one) => one.phone_number));
    const { row, erased } = await this.db.transaction(async (tx) => {
      const found = await this.erased.findErasedSince(tx, begin, numbers);
      const others = withoutErased(leads, found);
      const [inserted]: [{ campaign: number | null; reopened: boolean; inserted: number }] = await tx.query(
        sql,
        toParameters(target, others),
      );
      return { row: inserted, erased: found };
    });
    if (row.campaign === null) throw invalidCampaign();
    if (row.reopened) await this.campaigns.publishStarted(target.accountId, target.campaignId);
    return { inserted: row.inserted, erased };
  }

  /** Those of the numbers that main leads of the campaign have. */
  async findNumbersInCampaign(campaignId: number, numbers: string[]): Promise<string[]> {
    const rows: { phone_number: string }[] = await this.db.query(
      `SELECT phone_number FROM leads
        WHERE campaign_id = $1 AND phone_number = ANY ($2) AND main_lead_id IS NULL AND NOT is_duplicate`,
      [campaignId, numbers],
    );
    return rows.map((row) => row.phone_number);
  }

  /** How many more main leads the campaign may have; not above 0: none. */
  async findCapacity(
    accountId: number,
    campaignId: number,
    tx: EntityManager = this.db.manager,
  ): Promise<number> {
    const [row]: [{ capacity: number }] = await tx.query(`SELECT (${CAPACITY_SQL})::int AS capacity`, [
      accountId,
      campaignId,
    ]);
    return row.capacity;
  }

  async toLimitError(accountId: number, tx?: EntityManager): Promise<PlanLimitReached> {
    const { plan } = await this.accounts.accountView(accountId, tx);
    return new PlanLimitReached(plan.maxLeadsPerCampaign, 'leads per campaign');
  }
}

/** As an erasure leaves them: without the leads of the numbers, and without contacts that have one. */
function withoutErased(leads: NewLead[], erased: ReadonlySet<string>): NewLead[] {
  if (erased.size === 0) return leads;
  const isKept = ({ phone_number }: NewContact): boolean => !erased.has(phone_number);
  return leads.filter(isKept).map((lead) => ({ ...lead, contacts: lead.contacts.filter(isKept) }));
}

const lockModeOf = ({ allowDuplicates }: LeadInsertTarget): CampaignLockMode =>
  allowDuplicates ? 'alone' : 'shared';

const toParameters = ({ accountId, campaignId, reopens }: LeadInsertTarget, leads: NewLead[]): unknown[] => [
  accountId,
  campaignId,
  JSON.stringify(
    leads.map((lead) => ({
      ...lead,
      zone: zoneKeyOf({ phoneNumber: lead.phone_number, variables: lead.variables }),
    })),
  ),
  reopens,
];
