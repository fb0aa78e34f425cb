import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource, EntityManager } from 'typeorm';
import { parseEncryptionKeys } from '#src/config/encryption-keys.js';
import { readOrMakeKeyFile } from '#src/config/key-file.js';
import { DataKeysService, type DataKeyRow } from './data-keys.service.js';
import { EncryptionKeyRing } from './encryption-key-ring.js';
import { SecretsService } from './secrets.service.js';

const BASE64 = Buffer.alloc(32, 7).toString('base64');
const RING = new EncryptionKeyRing(parseEncryptionKeys(`main:${BASE64}`) ?? []);
const PLACE = { accountId: 1, table: 'tools', column: 'headers', row: 5 };

/** A table of data keys that counts its statements. */
function start() {
  const rows: DataKeyRow[] = [];
  let reads = 0;
  const query = async (sql: string, values: unknown[] = []): Promise<unknown> => {
    if (sql.startsWith('INSERT')) {
      const [account_id, wrapped, wrapped_by] = values as [number | null, string, string];
      rows.push({ id: rows.length + 1, account_id, wrapped, wrapped_by });
      return [];
    }
    if (sql.includes('lock_account')) return [];
    reads += 1;
    return sql.includes('ANY($1)') ? rows : rows.filter(({ account_id }) => account_id === values[0]);
  };
  const secrets = (): SecretsService =>
    new SecretsService(new DataKeysService({ query } as DataSource, RING));
  return { secrets, tx: { query } as EntityManager, reads: () => reads };
}

describe('SecretsService', () => {
  it('returns the text at its own place only', async () => {
    const { secrets, tx } = start();
    const sealed = (await secrets().sealerOf(tx, 1)).seal(PLACE, 'Grüße 👋');
    expect(sealed).toMatch(/^v1\.1\.[\w-]+$/);
    expect(await secrets().open(PLACE, sealed)).toBe('Grüße 👋');
    for (const moved of [
      { ...PLACE, accountId: 2 },
      { ...PLACE, accountId: null },
      { ...PLACE, table: 'webhook_secrets' },
      { ...PLACE, column: 'schema' },
      { ...PLACE, row: 6 },
    ])
      await expect(secrets().open(moved, sealed)).rejects.toThrow('changed or moved');
  });

  it('refuses a text of which any character is changed, and names no part of it', async () => {
    const { secrets, tx } = start();
    const sealed = (await secrets().sealerOf(tx, 1)).seal(PLACE, 'secret');
    for (let at = 5; at < sealed.length - 1; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      await expect(secrets().open(PLACE, changed)).rejects.toThrow(
        'tools.headers of the row 5 cannot be decrypted: it was changed or moved',
      );
    }
    await expect(secrets().open(PLACE, 'v1.x')).rejects.toThrow('changed or moved');
  });

  it('encrypts equal texts differently', async () => {
    const { secrets, tx } = start();
    const sealer = await secrets().sealerOf(tx, 1);
    const texts = Array.from({ length: 100 }, () => sealer.seal(PLACE, 'secret'));
    expect(new Set(texts).size).toBe(100);
  });

  it('reads the key of an account once, whatever it decrypts', async () => {
    const { secrets, tx, reads } = start();
    const sealed = (await secrets().sealerOf(tx, 1)).seal(PLACE, 'secret');
    const before = reads();
    const reader = secrets();
    for (let n = 0; n < 50; n++) expect(await reader.open(PLACE, sealed)).toBe('secret');
    expect(reads() - before).toBe(1);
  });

  it('returns what an earlier version stored as it is', async () => {
    expect(await start().secrets().open(PLACE, '[{"name":"Accept","value":"v1.1.a"}]')).toContain('Accept');
  });
});

describe('ENCRYPTION_KEYS', () => {
  it.each(['main', `main:${BASE64.slice(4)}`, `main:${BASE64},main:${BASE64}`, `a b:${BASE64}`, `${BASE64}`])(
    'are not %s',
    (text) => expect(parseEncryptionKeys(text)).toBeNull(),
  );

  it('are several, the first one first', () => {
    const keys = parseEncryptionKeys(`new:${BASE64}, old:${BASE64}`);
    expect(keys?.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['new', 32],
      ['old', 32],
    ]);
  });

  it('are made in the data directory once, and never replaced', () => {
    const dir = mkdtempSync(join(tmpdir(), 'key-file-'));
    try {
      const first = readOrMakeKeyFile(join(dir, 'data'));
      expect(first).toMatchObject({ isNew: true, keys: [{ name: 'local' }] });
      expect(readOrMakeKeyFile(join(dir, 'data'))).toEqual({ ...first, isNew: false });
      writeFileSync(first.file, 'nonsense');
      expect(() => readOrMakeKeyFile(join(dir, 'data'))).toThrow('has no encryption keys');
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
