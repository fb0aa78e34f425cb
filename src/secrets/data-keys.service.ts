import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { KEY_BYTES } from '#src/config/encryption-keys.js';
import { decrypt, encrypt, SecretUnreadable } from './cipher.js';
import { EncryptionKeyRing } from './encryption-key-ring.js';

/** Of the decrypted keys in memory. */
const MAX_CACHED = 1_000;
const MAX_BATCH = 100;

export interface OpenDataKey {
  id: number;
  bytes: Buffer;
}

export interface DataKeyRow {
  id: number;
  account_id: number | null;
  wrapped: string;
  wrapped_by: string;
}

const COLUMNS = 'id, account_id, wrapped, wrapped_by';

/** Keys that encrypt the secrets of accounts; null is the account of those that belong to none. */
@Injectable()
export class DataKeysService implements OnModuleInit {
  /** By id, the least recently used first. */
  private readonly cache = new Map<number, Buffer>();
  private readonly loader = new BatchLoader<number, OpenDataKey | null>((ids) => this.load(ids), MAX_BATCH);

  constructor(
    private readonly db: DataSource,
    private readonly ring: EncryptionKeyRing,
  ) {}

  /** @throws Error: an encryption key that is used is missing, or is another one */
  async onModuleInit(): Promise<void> {
    const rows: DataKeyRow[] = await this.db.query(
      `SELECT DISTINCT ON (wrapped_by) ${COLUMNS} FROM data_keys ORDER BY wrapped_by, id`,
    );
    for (const row of rows) this.unwrap(row);
  }

  /**
   * The key that encrypts secrets of the account; the first use makes it. It is not replaced before the transaction
   * ends, so that a rotation finds every row of the key before.
   */
  async currentKey(tx: EntityManager, accountId: number | null): Promise<OpenDataKey> {
    const isIts = accountId === null ? 'account_id IS NULL AND $1::int IS NULL' : 'account_id = $1';
    for (;;) {
      const [row]: DataKeyRow[] = await tx.query(
        `SELECT ${COLUMNS} FROM data_keys WHERE ${isIts} AND retired_at IS NULL FOR SHARE`,
        [accountId],
      );
      if (row) return { id: row.id, bytes: this.cached(row) };
      // As every writer of the account: the other order of the two locks would be a deadlock.
      if (accountId !== null) await lockAccount(tx, accountId);
      await this.insertKey(tx, accountId);
    }
  }

  /** @throws SecretUnreadable: there is none */
  async findKey(id: number): Promise<Buffer> {
    const known = this.cache.get(id);
    const bytes = known ?? (await this.loader.load(id))?.bytes;
    if (!bytes) throw new SecretUnreadable(`There is no data key ${id}`);
    this.remember(id, bytes);
    return bytes;
  }

  /** A new key for an account without one that encrypts. */
  async insertKey(tx: EntityManager, accountId: number | null): Promise<void> {
    await tx.query(
      'INSERT INTO data_keys (account_id, wrapped, wrapped_by) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [accountId, this.wrap(accountId, randomBytes(KEY_BYTES)), this.ring.first.name],
    );
  }

  /** Encrypts the row's key with the first encryption key. */
  rewrap(row: DataKeyRow): string {
    return this.wrap(row.account_id, this.unwrap(row));
  }

  private async load(ids: number[]): Promise<(OpenDataKey | null)[]> {
    const rows: DataKeyRow[] = await this.db.query(`SELECT ${COLUMNS} FROM data_keys WHERE id = ANY($1)`, [
      ids,
    ]);
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = found.get(id);
      return row ? { id, bytes: this.unwrap(row) } : null;
    });
  }

  private cached(row: DataKeyRow): Buffer {
    const bytes = this.cache.get(row.id) ?? this.unwrap(row);
    this.remember(row.id, bytes);
    return bytes;
  }

  private remember(id: number, bytes: Buffer): void {
    this.cache.delete(id);
    this.cache.set(id, bytes);
    const [oldest] = this.cache.keys();
    if (this.cache.size > MAX_CACHED && oldest !== undefined) this.cache.delete(oldest);
  }

  private wrap(accountId: number | null, bytes: Buffer): string {
    return encrypt(this.ring.first.bytes, bytes, contextOf(accountId));
  }

  private unwrap(row: DataKeyRow): Buffer {
    return unwrapDataKey(this.ring, row);
  }
}

/** @throws Error: the encryption key is missing, or another one */
export function unwrapDataKey(ring: EncryptionKeyRing, row: DataKeyRow): Buffer {
  const { bytes } = ring.get(row.wrapped_by);
  try {
    return decrypt(bytes, row.wrapped, contextOf(row.account_id));
  } catch {
    throw new Error(
      `The encryption key "${row.wrapped_by}" is not the one that encrypted the data key ${row.id}`,
    );
  }
}

const contextOf = (accountId: number | null): string => `data key of ${accountId ?? 'no account'}`;
