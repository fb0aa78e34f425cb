import type { LedgerKind } from './entities/account.entities.js';
import { WHOLE_ACCOUNT } from './entities/spending.entities.js';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';

/** A query over its owner's tables, without parameters. */
type Audited = (tx: EntityManager) => SelectQueryBuilder<ObjectLiteral>;

/**
 * The sums that a module expects of its kinds of entries: `account_id`, `reference` and `net_micros` (negative: taken
 * from the balance), one row for each reference that may stand in the ledger.
 */
export interface LedgerSource {
  kinds: readonly LedgerKind[];
  expected: Audited;
}

/** The held amounts that a module expects: `account_id`, `api_key_id` (or null) and `hold_micros`. */
export interface HoldSource {
  holds: Audited;
}

/** Whether something else of an account that is kept as sums has the sums of its parts. */
export type AccountSumCheck = (tx: EntityManager) => Promise<AuditFinding[]>;

export interface AuditFinding {
  accountId: number;
  /** Kinds of the entries that are meant; null: all of the account's. */
  kinds: readonly LedgerKind[] | null;
  reference: string | null;
  problem: string;
}

export interface AuditReport {
  accounts: number;
  entries: number;
  /** Empty when the ledger is consistent. At most 100 findings of each kind. */
  findings: AuditFinding[];
}

interface DifferingEntry {
  account_id: number;
  kind: LedgerKind;
  reference: string;
  found: string | null;
  expected: string | null;
}

const LIMIT = 100;

/** Proves that the ledger sums to the balances and that every entry belongs to something that costs. */
@Injectable()
export class LedgerAuditService {
  private readonly sources: LedgerSource[] = [];
  private readonly holds: HoldSource[] = [];
  private readonly checks: AccountSumCheck[] = [];

  constructor(private readonly db: DataSource) {}

  /** For the modules that post entries, at start. */
  registerSource(source: LedgerSource): void {
    this.sources.push(source);
  }

  /** For the modules whose things hold money, at start. */
  registerHolds(source: HoldSource): void {
    this.holds.push(source);
  }

  registerCheck(check: AccountSumCheck): void {
    this.checks.push(check);
  }

  /** One snapshot of the database, so it may run beside a busy service. */
  verifyLedger(): Promise<AuditReport> {
    return this.db.transaction('REPEATABLE READ', async (tx) => {
      // It reads every entry there is.
      await tx.query('SET LOCAL statement_timeout = 0');
      const findings = [await wrongSums(tx), await brokenSteps(tx), await doubleReferences(tx)];
      for (const source of this.sources) findings.push(await wrongEntries(tx, source));
      findings.push(await wrongHolds(tx, this.holds), await wrongKeyHolds(tx, this.holds));
      for (const check of this.checks) findings.push(await check(tx));
      const [counts]: { accounts: number; entries: number }[] = await tx.query(
        `SELECT (SELECT count(*) FROM accounts)::int AS accounts,
                (SELECT count(*) FROM ledger_entries)::int AS entries`,
      );
      return { accounts: 0, entries: 0, ...counts, findings: findings.flat() };
    });
  }
}

async function wrongSums(tx: EntityManager): Promise<AuditFinding[]> {
  const rows: DifferingEntry[] = await tx.query(
    `SELECT account.id AS account_id, account.balance_micros AS found, coalesce(sum(entry.amount_micros), 0) AS expected
       FROM accounts account LEFT JOIN ledger_entries entry ON entry.account_id = account.id
      GROUP BY account.id HAVING account.balance_micros <> coalesce(sum(entry.amount_micros), 0)
      ORDER BY account.id LIMIT $1`,
    [LIMIT],
  );
  return rows.map(({ account_id, found, expected }) =>
    finding(account_id, null, null, `the balance is ${found} micro-units, its entries sum to ${expected}`),
  );
}

/** What an account holds back is the sum of what its running things hold. */
async function wrongHolds(tx: EntityManager, sources: HoldSource[]): Promise<AuditFinding[]> {
  const rows: DifferingEntry[] = await tx.query(
    `SELECT account.id AS account_id, account.held_micros AS found, coalesce(sum(held.hold_micros), 0) AS expected
       FROM accounts account LEFT JOIN (${allHolds(tx, sources)}) held ON held.account_id = account.id
      GROUP BY account.id HAVING account.held_micros <> coalesce(sum(held.hold_micros), 0)
      ORDER BY account.id LIMIT $1`,
    [LIMIT],
  );
  return rows.map(({ account_id, found, expected }) =>
    finding(account_id, null, null, `${found} micro-units are held, running calls hold ${expected}`),
  );
}

/** The same for what API keys have started. */
async function wrongKeyHolds(tx: EntityManager, sources: HoldSource[]): Promise<AuditFinding[]> {
  const rows: (DifferingEntry & { key_id: number })[] = await tx.query(
    `SELECT account_id, key_id, coalesce(counted.micros, 0) AS found, coalesce(held.micros, 0) AS expected
       FROM (SELECT account_id, key_id, held_micros AS micros FROM spend_counters WHERE key_id <> ${WHOLE_ACCOUNT}) counted
       FULL JOIN (SELECT account_id, api_key_id AS key_id, sum(hold_micros) AS micros
                    FROM (${allHolds(tx, sources)}) holds WHERE api_key_id IS NOT NULL GROUP BY 1, 2) held
      USING (account_id, key_id)
      WHERE coalesce(counted.micros, 0) <> coalesce(held.micros, 0) ORDER BY account_id, key_id LIMIT $1`,
    [LIMIT],
  );
  return rows.map(({ account_id, key_id, found, expected }) =>
    finding(
      account_id,
      null,
      null,
      `${found} micro-units are held for API key ${key_id}, its running calls hold ${expected}`,
    ),
  );
}

const allHolds = (tx: EntityManager, sources: HoldSource[]): string =>
  [
    'SELECT NULL::int AS account_id, NULL::int AS api_key_id, 0::bigint AS hold_micros',
    ...sources.map((source) => source.holds(tx).getQuery()),
  ].join(' UNION ALL ');

/** Each entry notes the balance after it: one that was changed, removed or slipped in breaks the chain. */
async function brokenSteps(tx: EntityManager): Promise<AuditFinding[]> {
  const rows: DifferingEntry[] = await tx.query(
    `SELECT account_id, kind, reference, balance_micros AS found, expected FROM (
       SELECT *, lag(balance_micros, 1, 0::bigint) OVER (PARTITION BY account_id ORDER BY id) + amount_micros AS expected
         FROM ledger_entries) steps
      WHERE balance_micros <> expected ORDER BY id LIMIT $1`,
    [LIMIT],
  );
  return rows.map(({ account_id, kind, reference, found, expected }) =>
    finding(
      account_id,
      [kind],
      reference,
      `notes a balance of ${found} micro-units, ${expected} follows from the one before`,
    ),
  );
}

/** A unique index forbids them; an index can be lost in a restore. */
async function doubleReferences(tx: EntityManager): Promise<AuditFinding[]> {
  const rows: DifferingEntry[] = await tx.query(
    `SELECT min(account_id) AS account_id, kind, reference, count(*) AS found
       FROM ledger_entries GROUP BY kind, reference HAVING count(*) > 1 ORDER BY kind, reference LIMIT $1`,
    [LIMIT],
  );
  return rows.map(({ account_id, kind, reference, found }) =>
    finding(account_id, [kind], reference, `is posted ${found} times`),
  );
}

async function wrongEntries(tx: EntityManager, { kinds, expected }: LedgerSource): Promise<AuditFinding[]> {
  const rows: DifferingEntry[] = await tx.query(
    `SELECT account_id, reference, entries.net_micros AS found, things.net_micros AS expected
       FROM (SELECT account_id, reference, sum(amount_micros) AS net_micros
               FROM ledger_entries WHERE kind = ANY($1) GROUP BY account_id, reference) entries
       FULL JOIN (${expected(tx).getQuery()}) things USING (account_id, reference)
      WHERE things.net_micros IS NULL OR coalesce(entries.net_micros, 0) <> things.net_micros
      ORDER BY account_id, reference LIMIT $2`,
    [kinds, LIMIT],
  );
  return rows.map(({ account_id, reference, found, expected: due }) =>
    finding(
      account_id,
      kinds,
      reference,
      due === null ? 'belongs to nothing' : `sums to ${found ?? 0} micro-units instead of ${due}`,
    ),
  );
}

const finding = (
  accountId: number,
  kinds: readonly LedgerKind[] | null,
  reference: string | null,
  problem: string,
): AuditFinding => ({ accountId, kinds, reference, problem });
