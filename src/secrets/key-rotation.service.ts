import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { DataKeysService, type DataKeyRow } from './data-keys.service.js';
import { EncryptionKeyRing } from './encryption-key-ring.js';
import { KeyRotation } from './entities/key-rotation.entity.js';
import { SealedColumnsService, type RewriteResult } from './sealed-columns.service.js';

/** Data keys of one statement. */
const BATCH = 100;
/** Somebody who has read a text reads its data key right after it. */
const KEPT_MINUTES = 10;

export interface RotationResult extends RewriteResult {
  /** Data keys that have a successor now. */
  replaced: number;
}

/** Replaces data keys, and encrypts what they encrypted with their successors. */
@Injectable()
export class KeyRotationService {
  constructor(
    private readonly db: DataSource,
    private readonly keys: DataKeysService,
    private readonly columns: SealedColumnsService,
    private readonly ring: EncryptionKeyRing,
  ) {}

  /**
   * Gives every account a new data key, encrypted with the first encryption key, and encrypts its secrets with it,
   * while the service runs. After an interruption the next rotation continues: data keys that are new are kept.
   * Afterwards the other encryption keys decrypt nothing in the database.
   */
  async rotate(): Promise<RotationResult> {
    const { id, upTo } = await this.begin();
    let replaced = 0;
    let last = await this.replaceNext(0, upTo);
    for (; last !== null; last = await this.replaceNext(last, upTo)) replaced++;
    while (await this.rewrapBatch());
    const result = await this.columns.encryptOutdated();
    await this.db.manager.update(KeyRotation, { id }, { endedAt: new Date() });
    return { replaced, ...result };
  }

  /** The rotation that was interrupted, or a new one. */
  private async begin(): Promise<KeyRotation> {
    await this.db.query(
      `INSERT INTO key_rotations (up_to) SELECT coalesce(max(id), 0) FROM data_keys
       ON CONFLICT (ended_at) WHERE ended_at IS NULL DO NOTHING`,
    );
    return this.db.manager.findOneByOrFail(KeyRotation, { endedAt: IsNull() });
  }

  /** Encrypts rows of an earlier version and those that an interrupted rotation left, and forgets unused data keys. */
  async finish(stopping: AbortSignal): Promise<RewriteResult> {
    const result = await this.columns.encryptOutdated(stopping);
    const retired: { id: number }[] = await this.db.query(
      `SELECT id FROM data_keys WHERE retired_at < now() - make_interval(mins => ${KEPT_MINUTES})`,
    );
    if (retired.length === 0 || stopping.aborted) return result;
    const ids = retired.map(({ id }) => id);
    const used = await this.columns.findUsedKeys(ids);
    await this.db.query('DELETE FROM data_keys WHERE id = ANY($1)', [ids.filter((id) => !used.has(id))]);
    return result;
  }

  /**
   * Replaces the key of one account. It waits for the transactions that write secrets with it: none of their rows is
   * missed afterwards. One at a time, because a transaction that waits for one key and keeps another could block those
   * that write secrets of several accounts.
   *
   * @param after the id of the one before
   * @param upTo the newest of the data keys that are replaced also where the first encryption key encrypts them
   * @returns its id; null: there is none left
   */
  private replaceNext(after: number, upTo: number): Promise<number | null> {
    return this.db.transaction(async (tx) => {
      const [[row]]: [{ id: number; account_id: number | null }[], number] = await tx.query(
        `UPDATE data_keys SET retired_at = now() WHERE id = (
           SELECT id FROM data_keys WHERE id > $3 AND retired_at IS NULL AND (wrapped_by <> $1 OR id <= $2)
            ORDER BY id LIMIT 1 FOR UPDATE)
         RETURNING id, account_id`,
        [this.ring.first.name, upTo, after],
      );
      if (!row) return null;
      await this.keys.insertKey(tx, row.account_id);
      return row.id;
    });
  }

  /** Of replaced keys, which rows may still need. @returns whether there may be more */
  private async rewrapBatch(): Promise<boolean> {
    const rows: DataKeyRow[] = await this.db.query(
      `SELECT id, account_id, wrapped, wrapped_by FROM data_keys WHERE wrapped_by <> $1 ORDER BY id LIMIT ${BATCH}`,
      [this.ring.first.name],
    );
    await this.db.query(
      `UPDATE data_keys SET wrapped = given.wrapped, wrapped_by = $3
         FROM unnest($1::int[], $2::text[]) AS given (id, wrapped) WHERE data_keys.id = given.id`,
      [rows.map(({ id }) => id), rows.map((row) => this.keys.rewrap(row)), this.ring.first.name],
    );
    return rows.length > 0;
  }
}
