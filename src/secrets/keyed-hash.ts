import { createHmac, hkdfSync } from 'node:crypto';
import { KEY_BYTES } from '#src/config/encryption-keys.js';
import type { EncryptionKeyRing } from './encryption-key-ring.js';

/**
 * HMAC-SHA256 of texts, with keys that are derived from those of the installation: what has few possible values is not
 * found by trying all of them.
 *
 * @param purpose of the hashes: those of another one differ
 * @returns hashes of a text, one for each encryption key; the first one is stored, each is a hash of the text
 */
export function keyedHashes(ring: EncryptionKeyRing, purpose: string): (text: string) => string[] {
  const keys = ring.all.map(({ bytes }) => Buffer.from(hkdfSync('sha256', bytes, '', purpose, KEY_BYTES)));
  return (text) => keys.map((key) => createHmac('sha256', key).update(text).digest('base64url'));
}
