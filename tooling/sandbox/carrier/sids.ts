import { randomBytes } from 'node:crypto';

/** CA call, SM message, RE recording, VX relay session, MZ media stream, PN number of the account. */
export type SidPrefix = 'CA' | 'SM' | 'RE' | 'VX' | 'MZ' | 'PN';

export function newSid(prefix: SidPrefix): string {
  return prefix + randomBytes(16).toString('hex');
}
