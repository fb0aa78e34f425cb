import { randomBytes } from 'node:crypto';

/** CA call, SM message, RE recording, VX relay session. */
export type SidPrefix = 'CA' | 'SM' | 'RE' | 'VX';

export function newSid(prefix: SidPrefix): string {
  return prefix + randomBytes(16).toString('hex');
}
