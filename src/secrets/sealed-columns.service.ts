import { Injectable } from '@nestjs/common';
import { DataSource, type ObjectLiteral, type Repository } from 'typeorm';
import { SEALED_PREFIX, SecretsService, type Sealer } from './secrets.service.js';

/** A column of encrypted texts. */
interface SealedColumn {
  table: string;
  column: string;
  id: string;
  /** SQL. */
  account: string;
}

interface SecretRow {
  id: number;
  account_id: number | null;
  text: string;
}

/** `outdated`: unencrypted, or encrypted with a replaced data key; `encrypted`: all of them. */
type Choice = 'outdated' | 'encrypted';

export interface RewriteResult {
  changed: number;
  /** `table.column` and id of rows that cannot be decrypted. */
  unreadable: string[];
}

/** Rows of one statement: short transactions. */
const BATCH = 200;
const KEY_OF = (column: string): string => `split_part(${column}, '.', 2)`;

/** Every column of secrets, registered by the module of its table, so that all of them can be encrypted anew. */
@Injectable()
export class SealedColumnsService {
  private readonly columns: SealedColumn[] = [];

  constructor(
    private readonly db: DataSource,
    private readonly secrets: SecretsService,
  ) {}

  /** @param property of a text column; the entity has an integer `id` and, where an account owns it, `accountId` */
  register<E extends ObjectLiteral>({ metadata }: Repository<E>, property: keyof E & string): void {
    const nameOf = (name: string) => metadata.findColumnWithPropertyName(name)?.databaseName;
    this.columns.push({
      table: metadata.tableName,
      column: nameOf(property) ?? property,
      id: nameOf('id') ?? 'id',
      account: nameOf('accountId') ?? 'NULL::int',
    });
  }

  /**
   * Encrypts outdated rows with the current data key, in batches, beside running writers. It can be interrupted and
   * run again at any time: a row is read with the key that its text names.
   */
  encryptOutdated(stopping?: AbortSignal): Promise<RewriteResult> {
    return this.rewrite('outdated', stopping, async (column, rows) => {
      const texts = await this.openAll(column, rows);
      const accounts = [...new Set(rows.map((row) => row.account_id))].sort((a, b) => (a ?? 0) - (b ?? 0));
      // One by one: who makes the first key of an account locks the account until the end of the transaction.
      for (const account of accounts) await this.db.transaction((tx) => this.secrets.sealerOf(tx, account));
      return this.db.transaction(async (tx) => {
        const sealers = new Map<number | null, Sealer>();
        for (const account of accounts) sealers.set(account, await this.secrets.sealerOf(tx, account));
        const sealed = rows.map(({ id, account_id }, n) => {
          const text = texts[n] ?? null;
          const place = { table: column.table, column: column.column, row: id };
          return text === null ? null : (sealers.get(account_id)?.seal(place, text) ?? null);
        });
        await this.write(tx, column, rows, sealed);
        return sealed;
      });
    });
  }

  /** Stores every secret unencrypted, as the version before does: the way back. */
  decryptAll(): Promise<RewriteResult> {
    return this.rewrite('encrypted', undefined, async (column, rows) => {
      const texts = await this.openAll(column, rows);
      await this.write(this.db, column, rows, texts);
      return texts;
    });
  }

  /** Those of the data keys whose texts are still stored. */
  async findUsedKeys(ids: readonly number[]): Promise<Set<number>> {
    const used = new Set<number>();
    for (const { table, column } of this.columns) {
      const rows: { id: string }[] = await this.db.query(
        `SELECT DISTINCT ${KEY_OF(column)} AS id FROM ${table}
          WHERE ${column} LIKE '${SEALED_PREFIX}%' AND ${KEY_OF(column)} = ANY($1)`,
        [ids.map(String)],
      );
      for (const { id } of rows) used.add(Number(id));
    }
    return used;
  }

  /** @param work returns the new texts; null: the row cannot be read */
  private async rewrite(
    choice: Choice,
    stopping: AbortSignal | undefined,
    work: (column: SealedColumn, rows: SecretRow[]) => Promise<(string | null)[]>,
  ): Promise<RewriteResult> {
    const result: RewriteResult = { changed: 0, unreadable: [] };
    for (const column of await this.findExisting()) {
      let after = 0;
      while (!stopping?.aborted) {
        const rows = await this.read(column, choice, after);
        if (rows.length === 0) break;
        after = rows.at(-1)?.id ?? after;
        const texts = await work(column, rows);
        rows.forEach(({ id }, n) => {
          if (texts[n] === null) result.unreadable.push(`${column.table}.${column.column} ${id}`);
          else result.changed++;
        });
      }
    }
    return result;
  }

  /** Without the tables of migrations that were undone: the way back begins with them. */
  private async findExisting(): Promise<SealedColumn[]> {
    const rows: { name: string }[] = await this.db.query(
      'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL',
      [this.columns.map(({ table }) => table)],
    );
    const names = new Set(rows.map(({ name }) => name));
    return this.columns.filter(({ table }) => names.has(table));
  }

  private read(
    { table, column, id, account }: SealedColumn,
    choice: Choice,
    after: number,
  ): Promise<SecretRow[]> {
    const isChosen =
      choice === 'encrypted'
        ? `${column} LIKE '${SEALED_PREFIX}%'`
        : `(${column} NOT LIKE '${SEALED_PREFIX}%'
            OR ${KEY_OF(column)} IN (SELECT id::text FROM data_keys WHERE retired_at IS NOT NULL))`;
    return this.db.query(
      `SELECT ${id} AS id, ${account} AS account_id, ${column} AS text FROM ${table}
        WHERE ${id} > $1 AND ${isChosen} ORDER BY ${id} LIMIT ${BATCH}`,
      [after],
    );
  }

  private openAll({ table, column }: SealedColumn, rows: readonly SecretRow[]): Promise<(string | null)[]> {
    return Promise.all(
      rows.map(({ id, account_id: accountId, text }) =>
        this.secrets.open({ accountId, table, column, row: id }, text).catch(() => null),
      ),
    );
  }

  /** Leaves out a row that somebody else has changed meanwhile: it is encrypted with the current key already. */
  private async write(
    tx: Pick<DataSource, 'query'>,
    { table, column, id }: SealedColumn,
    rows: readonly SecretRow[],
    texts: readonly (string | null)[],
  ): Promise<void> {
    await tx.query(
      `UPDATE ${table} SET ${column} = given.text
         FROM unnest($1::int[], $2::text[], $3::text[]) AS given (id, former, text)
        WHERE ${table}.${id} = given.id AND ${table}.${column} = given.former AND given.text IS NOT NULL`,
      [rows.map((row) => row.id), rows.map(({ text }) => text), texts],
    );
  }
}
