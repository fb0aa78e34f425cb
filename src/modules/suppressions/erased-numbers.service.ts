import { Injectable } from '@nestjs/common';
import { DataSource, In, MoreThan, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import type { Person } from '#src/common/personal-data.js';
import { ErasedNumber } from './entities/erased-number.entity.js';
import { Suppression } from './entities/suppression.entity.js';
import { NumberHashesService } from './number-hashes.service.js';

/** Of a line that an import leaves out. */
export const ERASED_NUMBER_RULE = 'has a number whose erasure was requested during the import';

/** An import that is running. */
export interface ImportBegin {
  accountId: number;
  /** The last `ErasedNumber` of the account when it began; 0: none. */
  after: number;
}

/**
 * Numbers whose data was erased, or is being erased: suppressions that store the hash only, and what keeps imports from
 * storing such a number again.
 */
@Injectable()
export class ErasedNumbersService {
  constructor(
    private readonly db: DataSource,
    private readonly hashes: NumberHashesService,
  ) {}

  /** Those of the numbers that are suppressed by their hash. */
  async findErased(
    tx: EntityManager,
    accountId: number,
    phoneNumbers: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const hashes = phoneNumbers.length > 0 ? await this.hashes.findHashes(tx, accountId, phoneNumbers) : null;
    if (!hashes) return new Set();
    const rows = await tx.findBy(Suppression, { accountId, numberHash: In(hashes) });
    const found = new Set(rows.map(({ numberHash }) => numberHash));
    return new Set(phoneNumbers.filter((_number, n) => found.has(hashes[n] ?? '')));
  }

  /** Neither called nor written to from here on. The caller has locked the account, as who adds a call does. */
  async suppressWhileErasing(tx: EntityManager, accountId: number, numberHash: string): Promise<void> {
    const added = {
      accountId,
      phoneNumber: null,
      numberHash,
      reason: null,
      source: 'api',
      whileErasing: true,
    };
    await tx
      .createQueryBuilder()
      .insert()
      .into(Suppression)
      .values(added as never)
      .orIgnore()
      .execute();
  }

  /**
   * In the transaction that requests an erasure, before it locks the account: waits for running batches of imports, and
   * lets the next ones wait until its end.
   */
  async holdImports(tx: EntityManager, accountId: number): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, $2)', [ADVISORY_LOCKS.erasures, accountId]);
  }

  /** Imports that are running store the number no more. The caller holds the account's lock and its imports. */
  async keepFromImports(tx: EntityManager, accountId: number, numberHash: string): Promise<void> {
    await tx.insert(ErasedNumber, { accountId, numberHash });
  }

  async beginImport(accountId: number): Promise<ImportBegin> {
    const last = await this.db.manager.findOne(ErasedNumber, { where: { accountId }, order: { id: 'DESC' } });
    return { accountId, after: last?.id ?? 0 };
  }

  /**
   * In the transaction that stores a batch of an import: those of its numbers whose erasure was requested after the
   * import began. No erasure is requested until the transaction ends.
   */
  async findErasedSince(
    tx: EntityManager,
    { accountId, after }: ImportBegin,
    phoneNumbers: readonly string[],
  ): Promise<ReadonlySet<string>> {
    await tx.query('SELECT pg_advisory_xact_lock_shared($1, $2)', [ADVISORY_LOCKS.erasures, accountId]);
    const rows = await tx.findBy(ErasedNumber, { accountId, id: MoreThan(after) });
    if (rows.length === 0) return new Set();
    const erased = new Set(rows.map(({ numberHash }) => numberHash));
    const hashes = (await this.hashes.findHashes(tx, accountId, phoneNumbers)) ?? [];
    return new Set(phoneNumbers.filter((_number, n) => erased.has(hashes[n] ?? '')));
  }

  /** After the erasure: the hash is kept, or forgotten unless an earlier erasure has kept it. */
  async settle(tx: EntityManager, accountId: number, numberHash: string, isKept: boolean): Promise<void> {
    const added = { accountId, numberHash, whileErasing: true };
    if (isKept) await tx.update(Suppression, added, { whileErasing: false });
    else await tx.delete(Suppression, added);
  }

  /** Entries that have the number itself. @returns how many */
  async eraseEntries(tx: EntityManager, { accountId, phoneNumber }: Person): Promise<number> {
    return (await tx.delete(Suppression, { accountId, phoneNumber })).affected ?? 0;
  }

  /** Entries that have the number, for the archive. */
  async readEntries(tx: EntityManager, { accountId, phoneNumber }: Person): Promise<object[]> {
    const found = await tx.findBy(Suppression, { accountId, phoneNumber });
    return found.map(({ id, reason, source, createdAt }) => ({
      id,
      phone_number: phoneNumber,
      reason,
      source,
      created_at: createdAt,
    }));
  }
}
