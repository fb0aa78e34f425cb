import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 24;

/** Names a call by telephone in callbacks, or opens the line of a web call. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What the database has of it, so that a reader of the database opens no line: SHA-256 in base64url. */
export const storedTicket = (token: string): string => createHash('sha256').update(token).digest('base64url');
