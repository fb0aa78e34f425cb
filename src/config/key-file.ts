import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  formatEncryptionKey,
  KEY_BYTES,
  parseEncryptionKeys,
  type EncryptionKey,
} from './encryption-keys.js';

export const keyFileOf = (dataDir: string): string => join(dataDir, 'encryption-keys');

/**
 * The keys of an installation without `ENCRYPTION_KEYS`: those in the file of its data directory (mode 600). The file
 * is made with a random key where there is none.
 *
 * @throws Error: the file has another form
 */
export function readOrMakeKeyFile(dataDir: string): { keys: EncryptionKey[]; file: string; isNew: boolean } {
  const file = keyFileOf(dataDir);
  const isNew = makeKeyFile(dataDir, file);
  const keys = parseEncryptionKeys(readFileSync(file, 'utf8').trim());
  if (keys === null) throw new Error(`${file} has no encryption keys of the form NAME:BASE64`);
  return { keys, file, isNew };
}

/** Of several processes that start at the same time one makes it. @returns false: there is one */
function makeKeyFile(dataDir: string, file: string): boolean {
  if (exists(file)) return false;
  mkdirSync(dataDir, { recursive: true });
  const key = formatEncryptionKey({ name: 'local', bytes: randomBytes(KEY_BYTES) });
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // Fails where the file exists, unlike a renaming.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

function exists(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** The given keys, else those of the data directory. */
export const keysOrOwn = (
  given: readonly EncryptionKey[],
  dataDir: string,
): { keys: readonly EncryptionKey[]; file: string | null; isNew: boolean } =>
  given.length > 0 ? { keys: given, file: null, isNew: false } : readOrMakeKeyFile(dataDir);
