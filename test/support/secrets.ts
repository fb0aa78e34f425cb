import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { formatEncryptionKey, parseEncryptionKeys, type EncryptionKey } from '#src/config/encryption-keys.js';
import { readOrMakeKeyFile } from '#src/config/key-file.js';
import { DataKeysService } from '#src/secrets/data-keys.service.js';
import { EncryptionKeyRing } from '#src/secrets/encryption-key-ring.js';
import { SecretsService, type SecretPlace } from '#src/secrets/secrets.service.js';
import { databaseUrl } from './database.js';
import { ENCRYPTION_KEYS } from './service.js';

/** Those of the service that all files share. */
function keysOfTheService(): EncryptionKey[] {
  const dataDir = process.env.E2E_DATABASE_URL ? null : (process.env.E2E_DATA_DIR ?? null);
  return dataDir === null ? (parseEncryptionKeys(ENCRYPTION_KEYS) ?? []) : readOrMakeKeyFile(dataDir).keys;
}

/** Settings of a further process on the database of the shared service. */
export const databaseOfTheService = (): { DATABASE_URL: string; ENCRYPTION_KEYS: string } => ({
  DATABASE_URL: databaseUrl(),
  ENCRYPTION_KEYS: keysOfTheService().map(formatEncryptionKey).join(','),
});

/** What a stored secret of the shared service says, as who has its keys reads it. */
export function openSecret(db: pg.Pool, place: SecretPlace, stored: string): Promise<string> {
  const query = async (sql: string, values?: unknown[]) => (await db.query(sql, values)).rows;
  const keys = new DataKeysService({ query } as DataSource, new EncryptionKeyRing(keysOfTheService()));
  return new SecretsService(keys).open(place, stored);
}
