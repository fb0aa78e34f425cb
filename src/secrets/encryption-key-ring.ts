import type { EncryptionKey } from '#src/config/encryption-keys.js';

/** The keys of this installation: the first one encrypts, every one decrypts. */
export class EncryptionKeyRing {
  /** @param all the first one of them encrypts */
  constructor(readonly all: readonly EncryptionKey[]) {}

  /** @throws Error without a key */
  get first(): EncryptionKey {
    const [first] = this.all;
    if (!first) throw new Error('There is no encryption key; see ENCRYPTION_KEYS in docs/run/security.md');
    return first;
  }

  /** @throws Error without a key of this name */
  get(name: string): EncryptionKey {
    const found = this.all.find((key) => key.name === name);
    if (!found)
      throw new Error(
        `Secrets in the database are encrypted with the key "${name}", which ENCRYPTION_KEYS does not have`,
      );
    return found;
  }
}
