import { database } from './database.js';
import type { TestAccount } from '../factories/account.js';

/** An entry of the audit log as the API shows it. */
export interface AuditEntry {
  id: number;
  created_at: string;
  actor: { type: string; id: number | null; name: string | null };
  address: string | null;
  request_id: string | null;
  action: string;
  resource: { type: string; id: string | null };
  fields: string[];
  details: Record<string, unknown>;
  hash: string;
}

/** Entries of the account, newest first; at most 100. @param query such as `action=tool.create` */
export async function auditLog({ client }: Pick<TestAccount, 'client'>, query = ''): Promise<AuditEntry[]> {
  const { status, body, text } = await client.get<{ data: AuditEntry[] }>(
    `/user/audit-log?per_page=100&${query}`,
  );
  if (status !== 200) throw new Error(`no audit log: ${text}`);
  return body.data;
}

/** Statements without the triggers that keep the log, as the owner of the database may run them. */
export async function tamper(...statements: string[]): Promise<void> {
  const client = await database().connect();
  try {
    await client.query(
      `BEGIN; SET LOCAL session_replication_role = replica; ${statements.join(';')}; COMMIT`,
    );
  } finally {
    client.release();
  }
}

/** From now on no entry of the account can be written: its next one exists. */
export const blockAuditLog = ({ id }: Pick<TestAccount, 'id'>): Promise<void> =>
  tamper(
    `INSERT INTO audit_entries (account_id, seq, created_at, actor_type, action, fields, details, previous_hash, hash)
     SELECT ${id}, coalesce(max(seq), 0) + 1, now(), 'system', 'tool.create', '{}', '{}', '', ''
       FROM audit_entries WHERE account_id = ${id}`,
  );
