import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { Person } from '#src/common/personal-data.js';
import { Suppression } from './entities/suppression.entity.js';
import { NumberHashesService } from './number-hashes.service.js';

/** Suppressions of numbers whose data was erased, or is being erased: the number is stored as its hash only. */
@Injectable()
export class ErasedNumbersService {
  constructor(private readonly hashes: NumberHashesService) {}

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
