import { createHash } from 'node:crypto';
import type { AuditDetails } from './audit.types.js';

/** Before the first entry of an account. */
export const FIRST_HASH = '0'.repeat(64);

/** Columns of an entry that its content has. */
export interface AuditContent {
  actorType: string;
  actorId: number | null;
  actorName: string | null;
  address: string | null;
  requestId: string | null;
  action: string;
  resourceId: string | null;
  fields: string[];
  details: AuditDetails;
}

/** An entry of the chain; `at` in UTC, ISO 8601 with six fractional digits. */
export interface AuditLink extends AuditContent {
  accountId: number;
  seq: number;
  at: string;
  previousHash: string;
  hash: string;
}

/** The text of an entry that is hashed and from which the database takes the columns: JSON, without line breaks. */
export const contentOf = (entry: AuditContent): string =>
  JSON.stringify([
    entry.actorType,
    entry.actorId,
    entry.actorName,
    entry.address,
    entry.requestId,
    entry.action,
    entry.resourceId,
    entry.fields,
    // The database does not keep the order of keys.
    Object.fromEntries(Object.entries(entry.details).sort(([one], [other]) => (one < other ? -1 : 1))),
  ]);

/** SHA-256 in hexadecimal, as `append_audit_entries` computes it. */
export const hashOf = (entry: AuditLink): string =>
  createHash('sha256')
    .update([entry.previousHash, entry.accountId, entry.seq, entry.at, contentOf(entry)].join('\n'))
    .digest('hex');
