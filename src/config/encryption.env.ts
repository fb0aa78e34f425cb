import { EncryptionKeysEnv } from './env-fields.js';
import type { EncryptionKey } from './encryption-keys.js';

export class EncryptionEnv {
  @EncryptionKeysEnv({
    name: 'ENCRYPTION_KEYS',
    example: 'main:YW4tZXhhbXBsZS1rZXktZG8tbm90LXVzZS1pdC1ub3c=',
    unset: 'a key of its own in `DATA_DIR/encryption-keys`',
    description:
      'Keys that encrypt secrets in the database, `NAME:KEY` separated by commas, 32 bytes in base64; the first one ' +
      'encrypts, all decrypt. Required in production',
  })
  keys: EncryptionKey[] = [];
}
