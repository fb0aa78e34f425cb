import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { decrypt, encrypt, SecretUnreadable } from './cipher.js';
import { DataKeysService } from './data-keys.service.js';

/** Where a secret is stored. It is authenticated with the text: at another place the text does not decrypt. */
export interface SecretPlace {
  /** Null: it belongs to no account. */
  accountId: number | null;
  table: string;
  column: string;
  row: number | string;
}

/** Of encrypted texts; a text of an earlier version never begins so. */
export const SEALED_PREFIX = 'v1.';
const SEALED = /^v1\.(\d{1,10})\.([\w-]+)$/;

/** Encrypts secrets of one account in one transaction. */
export interface Sealer {
  /** @returns `v1.`, the id of the data key, a point and the encrypted text */
  seal(place: Omit<SecretPlace, 'accountId'>, text: string): string;
}

/** Encrypts what opens something else before it is stored, with a key of the account. */
@Injectable()
export class SecretsService {
  constructor(private readonly keys: DataKeysService) {}

  /** In the transaction that stores the texts; null: for secrets that belong to no account. */
  async sealerOf(tx: EntityManager, accountId: number | null): Promise<Sealer> {
    const { id, bytes } = await this.keys.currentKey(tx, accountId);
    return {
      seal: (place, text) =>
        `${SEALED_PREFIX}${id}.${encrypt(bytes, text, contextOf({ ...place, accountId }))}`,
    };
  }

  /**
   * The text of a stored secret. One that an earlier version stored unencrypted is returned as it is.
   * @throws SecretUnreadable: it was stored at another place, or changed, or its key is missing
   */
  async open(place: SecretPlace, stored: string): Promise<string> {
    if (!stored.startsWith(SEALED_PREFIX)) return stored;
    const [, keyId, encrypted = ''] = SEALED.exec(stored) ?? [];
    if (keyId === undefined) throw unreadable(place);
    const key = await this.keys.findKey(Number(keyId));
    try {
      return decrypt(key, encrypted, contextOf(place)).toString();
    } catch {
      throw unreadable(place);
    }
  }
}

const contextOf = ({ accountId, table, column, row }: SecretPlace): string =>
  JSON.stringify([accountId, table, column, String(row)]);

const unreadable = ({ table, column, row }: SecretPlace): SecretUnreadable =>
  new SecretUnreadable(`${table}.${column} of the row ${row} cannot be decrypted: it was changed or moved`);
