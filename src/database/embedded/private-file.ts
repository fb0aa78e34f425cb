import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Mode 600, and whole or not at all: a crash in the middle leaves the former content. */
export function writePrivateFile(path: string, content: string): void {
  const half = `${path}.${process.pid}.tmp`;
  writeFileSync(half, content, { mode: 0o600 });
  renameSync(half, path);
}

/** Null when there is no such file; any other trouble (permissions) is thrown. */
export function readPrivateFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A password of 48 hexadecimal digits, made at the first call and kept; it needs no escaping in a URL. */
export function readOrCreateSecret(path: string): string {
  const known = readPrivateFile(path);
  if (known !== null) return known;
  const secret = randomBytes(24).toString('hex');
  writePrivateFile(path, secret);
  return secret;
}
