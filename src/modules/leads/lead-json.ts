/** As `toDateTime` renders a date. */
const dateTime = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

const leadFields = (row: string): string =>
  `'id', ${row}.id, 'phone_number', ${row}.phone_number, 'variables', ${row}.variables, 'status', ${row}.status,
   'created_at', ${dateTime(`${row}.created_at`)}, 'updated_at', ${dateTime(`${row}.updated_at`)}`;

/**
 * SQL of a `LeadResponse` for the row `l` of leads in the row `c` of campaigns. The database renders it, so that
 * a list of any length passes through this process as text. `contacts` is where the contacts' rows stand.
 */
export const leadJson = (contacts = 'leads'): string => `json_build_object(
  'campaign_id', l.campaign_id, ${leadFields('l')}, 'campaign', json_build_object('id', c.id, 'name', c.name),
  'secondary_contacts', coalesce(
    (SELECT json_agg(json_build_object(${leadFields('s')}) ORDER BY s.id) FROM ${contacts} s WHERE s.main_lead_id = l.id),
    '[]'))`;

/**
 * Where `l` and `c` come from. The join crosses the border to campaigns on purpose: asking their service would
 * mean to hold all of a streamed list's leads until the names are known.
 */
export const LEADS_WITH_CAMPAIGN = 'leads l JOIN campaigns c ON c.id = l.campaign_id';

/**
 * Condition on the leads `l` of the account `$1`: those of a deleted campaign are gone although their rows are still
 * being removed. Evaluated once for a statement, out of an index that is nearly always empty. Not `<> ALL (…)`: the
 * planner takes that for a condition that few rows meet, and sorts all of them for the first page.
 */
export const NOT_BEING_REMOVED = `l.campaign_id NOT IN (
  SELECT id FROM campaigns WHERE account_id = $1 AND deleted_at IS NOT NULL AND leads_removed_at IS NULL)`;
