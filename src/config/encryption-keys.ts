/** A key of `ENCRYPTION_KEYS`: it encrypts data keys, which encrypt the secrets in rows. */
export interface EncryptionKey {
  name: string;
  /** 32 bytes, for AES-256. */
  bytes: Buffer;
}

export const KEY_BYTES = 32;
const KEY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/**
 * Reads `NAME:BASE64,NAME:BASE64,…`, each with 32 bytes.
 * @returns null: another form, or a name that is given twice
 */
export function parseEncryptionKeys(text: string): EncryptionKey[] | null {
  const keys: EncryptionKey[] = [];
  for (const item of text.split(',')) {
    const [, name, base64 = ''] = KEY.exec(item.trim()) ?? [];
    if (name === undefined || keys.some((key) => key.name === name)) return null;
    keys.push({ name, bytes: Buffer.from(base64, 'base64') });
  }
  return keys;
}

export const formatEncryptionKey = ({ name, bytes }: EncryptionKey): string =>
  `${name}:${bytes.toString('base64')}`;
