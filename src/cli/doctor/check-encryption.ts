import { statSync } from 'node:fs';
import { keyFileOf, keysOrOwn } from '#src/config/key-file.js';
import type { Settings } from '#src/config/settings.js';
import { unwrapDataKey, type DataKeyRow } from '#src/secrets/data-keys.service.js';
import { EncryptionKeyRing } from '#src/secrets/encryption-key-ring.js';
import { SEALED_PREFIX } from '#src/secrets/secrets.service.js';
import { withDatabaseClient } from '../operator/database.js';
import { formatQuantity, toErrorMessage } from '../output.js';
import { fail, ok, warn, type CheckResult } from './finding.js';

const PLAIN = `
  SELECT (SELECT count(*) FROM tools WHERE headers NOT LIKE '${SEALED_PREFIX}%')::int
       + (SELECT count(*) FROM webhook_secrets WHERE secret NOT LIKE '${SEALED_PREFIX}%')::int
       + (SELECT count(*) FROM recording_keys WHERE secret NOT LIKE '${SEALED_PREFIX}%')::int AS count`;

/** Whether the keys of the settings decrypt the secrets of the database. @param url of the database */
export async function checkEncryption(
  { encryptionKeys, dataDir }: Pick<Settings, 'encryptionKeys' | 'dataDir'>,
  url: string,
): Promise<CheckResult> {
  const { keys, file } = keysOrOwn(encryptionKeys, dataDir);
  if (file !== null && (statSync(file).mode & 0o077) !== 0)
    return fail(`${file} can be read by others`, `chmod 600 ${file}`);
  const where = file === null ? 'ENCRYPTION_KEYS' : keyFileOf(dataDir);
  const state = await withDatabaseClient(url, async (client) => {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('data_keys') IS NOT NULL AS found`,
    );
    if (!rows[0]?.found) return null;
    const data = await client.query<DataKeyRow>('SELECT id, account_id, wrapped, wrapped_by FROM data_keys');
    const plain = await client.query<{ count: number }>(PLAIN);
    return { keys: data.rows, plain: plain.rows[0]?.count ?? 0 };
  });
  if (state === null) return warn('secrets are not encrypted yet', 'the next start encrypts them');
  const ring = new EncryptionKeyRing(keys);
  try {
    for (const key of state.keys) unwrapDataKey(ring, key);
  } catch (error) {
    return fail(toErrorMessage(error), `give ${where} the key that this database was used with`);
  }
  const older = state.keys.filter((key) => key.wrapped_by !== ring.first.name).length;
  const what = `${where} decrypts ${formatQuantity(state.keys.length, 'data key')}`;
  if (older > 0)
    return warn(`${what}, ${older} of them not with the first key`, 'run npm run cli -- keys rotate');
  if (state.plain > 0)
    return warn(
      `${what}; ${formatQuantity(state.plain, 'secret')} not encrypted yet`,
      'a running service encrypts them within ten minutes, or now: npm run cli -- keys rotate',
    );
  return ok(what);
}
