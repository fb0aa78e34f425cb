import { createHmac, randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { SealedColumnsService } from '#src/secrets/sealed-columns.service.js';
import { SecretsService } from '#src/secrets/secrets.service.js';
import { NumberHashKey } from './entities/number-hash-key.entity.js';

const KEY_BYTES = 32;
/** Of the decrypted keys in memory. */
const MAX_CACHED = 1_000;
const PLACE = { table: 'number_hash_keys', column: 'secret' };

/** HMAC-SHA256 of phone numbers, with a key of their account: they can be compared and not be found out. */
@Injectable()
export class NumberHashesService implements OnModuleInit {
  /** By id of the row, which no other key ever gets. */
  private readonly cache = new Map<number, Buffer>();

  constructor(
    @InjectRepository(NumberHashKey) private readonly keys: Repository<NumberHashKey>,
    private readonly secrets: SecretsService,
    private readonly columns: SealedColumnsService,
  ) {}

  onModuleInit(): void {
    this.columns.register(this.keys, 'secret');
  }

  /** The hash of a number in E.164. The account's first one makes its key. */
  async hashNumber(tx: EntityManager, accountId: number, phoneNumber: string): Promise<string> {
    return hash(await this.keyOf(tx, accountId), phoneNumber);
  }

  /** The same of several, in their order. */
  async hashNumbers(
    tx: EntityManager,
    accountId: number,
    phoneNumbers: readonly string[],
  ): Promise<string[]> {
    if (phoneNumbers.length === 0) return [];
    const key = await this.keyOf(tx, accountId);
    return phoneNumbers.map((phoneNumber) => hash(key, phoneNumber));
  }

  /** As `hashNumbers`, without making a key; null: the account has no hashes. */
  async findHashes(
    tx: EntityManager,
    accountId: number,
    phoneNumbers: readonly string[],
  ): Promise<string[] | null> {
    const key = await this.findKey(tx, accountId);
    return key && phoneNumbers.map((phoneNumber) => hash(key, phoneNumber));
  }

  private async keyOf(tx: EntityManager, accountId: number): Promise<Buffer> {
    return (await this.findKey(tx, accountId)) ?? this.createKey(tx, accountId);
  }

  private async findKey(tx: EntityManager, accountId: number): Promise<Buffer | null> {
    const row = await tx.findOneBy(NumberHashKey, { accountId });
    if (!row) return null;
    const known = this.cache.get(row.id);
    if (known) return known;
    // Reads the data key on this connection: a transaction must not wait for a second one.
    await this.secrets.sealerOf(tx, accountId);
    const base64 = await this.secrets.open({ ...PLACE, accountId, row: row.id }, row.secret);
    return this.remember(row.id, Buffer.from(base64, 'base64'));
  }

  private async createKey(tx: EntityManager, accountId: number): Promise<Buffer> {
    const sealer = await this.secrets.sealerOf(tx, accountId);
    // Encrypted with its id, which the row has from here on.
    const { raw } = await tx
      .createQueryBuilder()
      .insert()
      .into(NumberHashKey)
      .values({ accountId, secret: '' })
      .orIgnore()
      .execute();
    const [row] = raw as { id: number }[];
    if (!row) return this.keyOf(tx, accountId);
    const key = randomBytes(KEY_BYTES);
    const secret = sealer.seal({ ...PLACE, row: row.id }, key.toString('base64'));
    await tx.update(NumberHashKey, { id: row.id }, { secret });
    return this.remember(row.id, key);
  }

  private remember(id: number, key: Buffer): Buffer {
    this.cache.set(id, key);
    const [oldest] = this.cache.keys();
    if (this.cache.size > MAX_CACHED && oldest !== undefined) this.cache.delete(oldest);
    return key;
  }
}

const hash = (key: Buffer, phoneNumber: string): string =>
  createHmac('sha256', key).update(phoneNumber).digest('base64url');
