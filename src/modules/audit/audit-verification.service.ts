import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { FIRST_HASH, hashOf, type AuditLink } from './audit-chain.js';
import { LINK_COLUMNS } from './audit-links.js';

export interface AuditVerificationRequest {
  accountId: number | null;
  anchors: readonly string[];
}

export interface AuditHeadView {
  /** 0: of the installation. */
  accountId: number;
  /** Entries of the account. */
  seq: number;
  hash: string;
}

export interface AuditProblem {
  /** Null: of the whole log. */
  accountId: number | null;
  seq: number | null;
  problem: string;
}

export interface AuditVerification {
  entries: number;
  /** The newest entry of each account, as the rows have it. */
  heads: AuditHeadView[];
  /** At most `MAX_PROBLEMS`. */
  problems: AuditProblem[];
}

export const MAX_PROBLEMS = 100;
/** Entries of one statement. */
const BATCH = 1_000;
const TRIGGERS = ['audit_entries_keep', 'audit_entries_keep_all', 'audit_heads_keep', 'audit_heads_keep_all'];

/** The place of an entry in the order of the check. */
interface Position {
  accountId: number;
  seq: number;
}

/** Less than the columns can have: an entry that was added before the first one is read, too. */
const BEFORE_ALL: Position = { accountId: -2_147_483_649, seq: -2_147_483_649 };

/** Reads the whole audit log and computes its hashes anew. */
@Injectable()
export class AuditVerificationService {
  constructor(private readonly db: DataSource) {}

  /**
   * @param accountId null: all
   * @param anchors hashes that an earlier check printed: each must still be one of an entry
   */
  verify({ accountId, anchors }: AuditVerificationRequest): Promise<AuditVerification> {
    // One moment of the database: entries are added meanwhile.
    return this.db.transaction('REPEATABLE READ', async (tx) => {
      const found = new Findings(anchors);
      for (const name of await missingTriggers(tx))
        found.add(null, null, `the trigger ${name} is missing or off`);
      const stored = await readHeads(tx, accountId);
      for await (const entry of entriesOf(tx, accountId)) found.read(entry);
      found.compareHeads(stored);
      return found.result();
    });
  }
}

class Findings {
  private entries = 0;
  private readonly problems: AuditProblem[] = [];
  private readonly heads = new Map<number, AuditHeadView>();
  private readonly missing: Set<string>;

  constructor(anchors: readonly string[]) {
    this.missing = new Set(anchors);
  }

  read(entry: AuditLink): void {
    const { accountId, seq, hash } = entry;
    const before = this.heads.get(accountId);
    const expected = (before?.seq ?? 0) + 1;
    if (seq !== expected) {
      const gap =
        seq > expected ? `the entries ${expected} to ${seq - 1} are missing` : 'its number is impossible';
      this.add(accountId, seq, gap);
    } else if (entry.previousHash !== (before?.hash ?? FIRST_HASH)) {
      this.add(accountId, seq, 'it does not follow the entry before it');
    }
    if (hashOf(entry) !== hash) this.add(accountId, seq, 'it was changed or moved');
    this.missing.delete(hash);
    this.heads.set(accountId, { accountId, seq, hash });
    this.entries++;
  }

  compareHeads(stored: readonly AuditHeadView[]): void {
    const known = new Map(stored.map((head) => [head.accountId, head]));
    for (const { accountId, seq, hash } of this.heads.values()) {
      const head = known.get(accountId);
      known.delete(accountId);
      if (!head) this.add(accountId, seq, 'the end of its log is not stored');
      else if (head.seq > seq)
        this.add(accountId, head.seq, `the entries ${seq + 1} to ${head.seq} are missing`);
      else if (head.seq < seq) this.add(accountId, seq, `the stored end of the log is entry ${head.seq}`);
      else if (head.hash !== hash) this.add(accountId, seq, 'the stored end of the log has another hash');
    }
    for (const { accountId, seq } of known.values())
      this.add(accountId, seq, `the entries 1 to ${seq} are missing`);
    for (const hash of this.missing) this.add(null, null, `no entry has the hash ${hash}`);
  }

  add(accountId: number | null, seq: number | null, problem: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ accountId, seq, problem });
  }

  result(): AuditVerification {
    return { entries: this.entries, heads: [...this.heads.values()], problems: this.problems };
  }
}

async function* entriesOf(tx: EntityManager, accountId: number | null): AsyncGenerator<AuditLink> {
  let last: Position = accountId === null ? BEFORE_ALL : { ...BEFORE_ALL, accountId };
  for (let isFull = true; isFull;) {
    const rows: AuditLink[] = await tx.query(
      `SELECT ${LINK_COLUMNS} FROM audit_entries
        WHERE (account_id, seq) > ($1::bigint, $2::bigint) AND ($3::int IS NULL OR account_id = $3)
        ORDER BY account_id, seq LIMIT ${BATCH}`,
      [last.accountId, last.seq, accountId],
    );
    yield* rows;
    last = rows.at(-1) ?? last;
    isFull = rows.length === BATCH;
  }
}

const readHeads = (tx: EntityManager, accountId: number | null): Promise<AuditHeadView[]> =>
  tx.query(
    `SELECT account_id AS "accountId", seq, hash FROM audit_heads WHERE $1::int IS NULL OR account_id = $1
      ORDER BY account_id`,
    [accountId],
  );

async function missingTriggers(tx: EntityManager): Promise<string[]> {
  const rows: { name: string }[] = await tx.query(
    `SELECT tgname AS name FROM pg_trigger WHERE tgname = ANY($1) AND tgenabled IN ('O', 'A')`,
    [TRIGGERS],
  );
  const found = new Set(rows.map(({ name }) => name));
  return TRIGGERS.filter((name) => !found.has(name));
}
