import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'vac_';
const TOKEN = /^vac_[0-9a-f]{48}[0-9a-f]{8}$/;

/** A new token: readable prefix, 24 random bytes, checksum. Shown once, never stored. */
export function newAccessToken(): string {
  const secret = randomBytes(24).toString('hex');
  return PREFIX + secret + checksum(secret);
}

/** False for a mistyped token, so that it costs no look-up. */
export function isWellFormedToken(token: string): boolean {
  return TOKEN.test(token) && checksum(token.slice(PREFIX.length, -8)) === token.slice(-8);
}

/** SHA-256, hexadecimal: all that the database keeps of a token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const checksum = (secret: string): string => crc32(secret).toString(16).padStart(8, '0');
