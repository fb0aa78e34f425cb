import { sqlState } from '../errors/describe-error.js';

/** No connection to the database can be had. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** Of the system or of the database. */
  readonly code: string | undefined;

  constructor(override readonly cause: unknown) {
    super(`The database cannot be reached (${databaseErrorCode(cause)})`);
    this.code = codeOf(cause);
  }
}

/** SQLSTATE classes and codes of a server that shuts down, starts, or accepts no more connections. */
const AWAY = /^(08...|57P0[1-5]|53...)$/;
/** Time limits of a statement, of the wait for a lock, of an idle transaction; and a deadlock that it lost. */
const CONTENTION = new Set(['57014', '55P03', '25P03', '40P01']);
/** The driver's messages for broken connections, which have no codes. */
const BROKEN =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|timeout exceeded when trying to connect)/;
const BROKEN_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNREFUSED']);
/** The library's error, when a transaction continues after its connection broke. */
const LOST_RUNNER = 'QueryRunnerAlreadyReleasedError';

/** Whether an error means that the database is unavailable, not that a statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const source = driverErrorOf(error);
  if (source instanceof DatabaseUnavailable || error.name === LOST_RUNNER) return true;
  // Codes of the system mean the database only where a statement failed with them.
  if (source !== error && BROKEN_CODES.has(codeOf(source) ?? '')) return true;
  return BROKEN.test(source.message) || AWAY.test(sqlState(error) ?? '');
}

/** Whether the database aborted the statement because of concurrent ones: the same request may succeed later. */
export const isContentionError = (error: unknown): boolean => CONTENTION.has(sqlState(error) ?? '');

/** For the log: the SQLSTATE or the system's code, never a text, which may quote data. */
export function databaseErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return sqlState(error) ?? codeOf(driverErrorOf(error)) ?? 'connection lost';
}

const driverErrorOf = (error: Error): Error =>
  'driverError' in error && error.driverError instanceof Error ? error.driverError : error;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
