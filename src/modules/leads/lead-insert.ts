import type { EntityManager } from 'typeorm';
import type { LeadResponse } from './dto/lead.response.js';
import { leadJson } from './lead-json.js';
import type { NewLead } from './lead.types.js';

export interface InsertTarget {
  accountId: number;
  /** Held until the transaction ends; alone when duplicates are allowed. */
  campaign: { id: number; name: string };
  allowDuplicates: boolean;
}

/**
 * Main leads with their contacts, in one statement. A number that stands in the campaign already is decided by
 * the unique index: such a lead is left out or, where that is allowed, becomes a duplicate. The rows go in by
 * number, so that two inserts with the same numbers wait for each other and never in a circle.
 */
const INSERT = `
  WITH given AS MATERIALIZED (
    SELECT nextval('leads_id_seq') AS id, g.*
      FROM jsonb_to_recordset($4::jsonb) AS g (phone_number text, variables jsonb, contacts jsonb)),
  first AS (
    INSERT INTO leads (id, account_id, campaign_id, phone_number, variables) OVERRIDING SYSTEM VALUE
    SELECT id, $1, $2, phone_number, variables FROM given ORDER BY phone_number, id
    ON CONFLICT (campaign_id, phone_number) WHERE main_lead_id IS NULL AND NOT is_duplicate DO NOTHING
    RETURNING *),
  copy AS (
    INSERT INTO leads (id, account_id, campaign_id, phone_number, variables, is_duplicate) OVERRIDING SYSTEM VALUE
    SELECT id, $1, $2, phone_number, variables, true FROM given WHERE $3 AND id NOT IN (SELECT id FROM first)
    RETURNING *),
  lead AS (SELECT * FROM first UNION ALL SELECT * FROM copy),
  contact AS (
    INSERT INTO leads (account_id, campaign_id, main_lead_id, phone_number, variables)
    SELECT $1, $2, lead.id, c.value ->> 'phone_number', c.value -> 'variables'
      FROM lead JOIN given USING (id), jsonb_array_elements(given.contacts) WITH ORDINALITY AS c (value, position)
     ORDER BY lead.id, c.position
    RETURNING *)`;

/** @returns the lead as the API shows it; null: the number stands there already. */
export async function insertLead(
  tx: EntityManager,
  target: InsertTarget,
  lead: NewLead,
): Promise<LeadResponse | null> {
  const [row]: { lead: LeadResponse }[] = await tx.query(
    `${INSERT} SELECT ${leadJson('contact')} AS lead FROM lead l, (SELECT $2::int AS id, $5::text AS name) c`,
    [...parameters(target, [lead]), target.campaign.name],
  );
  return row?.lead ?? null;
}

/** @returns how many main leads went in; the others' numbers stood there already. */
export async function insertLeads(
  tx: EntityManager,
  target: InsertTarget,
  leads: NewLead[],
): Promise<number> {
  const [row]: [{ inserted: number }] = await tx.query(
    `${INSERT} SELECT count(*)::int AS inserted FROM lead`,
    parameters(target, leads),
  );
  return row.inserted;
}

const parameters = ({ accountId, campaign, allowDuplicates }: InsertTarget, leads: NewLead[]): unknown[] => [
  accountId,
  campaign.id,
  allowDuplicates,
  JSON.stringify(leads),
];
