import { type Command, InvalidArgumentError } from 'commander';
import { isAddressRange, MAX_RANGES } from '#src/common/address-ranges.js';
import { isScope, SCOPES, type Scope } from '#src/http/scopes.js';
import { printReport, type Report } from './output.js';
import { toMicros } from '#src/common/money/micros.js';

export interface CommandHelp {
  does: string;
  /** Without `npm run cli --`. */
  examples: string[];
}

/** Adds a command with `--json` and with examples in its help. */
export function addCommand(parent: Command, usage: string, { does, examples }: CommandHelp): Command {
  const lines = examples.map((example) => `  npm run cli -- ${example}`);
  return parent
    .command(usage)
    .description(does)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/**
 * The action of such a command: prints the report that `work` returns. A command with subcommands that has `--json`
 * too takes theirs.
 */
export function createReportAction<Arguments extends unknown[]>(
  work: (...args: Arguments) => Promise<Report>,
) {
  return async function action(this: Command, ...args: Arguments): Promise<void> {
    printReport(await work(...args), this.optsWithGlobals<{ json?: boolean }>().json ?? false);
  };
}

/**
 * A decimal number of units of the account's currency, kept as text: `25.00`.
 *
 * @throws InvalidArgumentError, as all parsers below; commander reports it as a usage error
 */
export function parseAmount(text: string): string {
  parseMicros(text);
  return text;
}

export function parseMicros(text: string): bigint {
  try {
    const value = toMicros(text);
    if (value >= 0n) return value;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new InvalidArgumentError('Give a decimal number of 0 or more, for example 25.00.');
}

export function parseWholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number, for example 10.');
}

export function parseCountry(text: string): string {
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase();
  throw new InvalidArgumentError('Give the two letters of a country, for example US.');
}

/** `all` or a list of countries: `US,DE`. */
export function parseCountries(text: string): string[] | 'all' {
  if (text.trim().toLowerCase() === 'all') return 'all';
  return [...new Set(text.split(',').map((code) => parseCountry(code.trim())))];
}

/** `read,calls`. */
export function parseScopes(text: string): Scope[] {
  const given = [...new Set(text.split(',').map((name) => name.trim()))];
  if (given.every(isScope)) return given;
  throw new InvalidArgumentError(`Give one or more of ${SCOPES.join(', ')} with commas between them.`);
}

/** `203.0.113.0/24,2001:db8::1`. */
export function parseAddresses(text: string): string[] {
  const given = [...new Set(text.split(',').map((range) => range.trim()))];
  if (given.length <= MAX_RANGES && given.every(isAddressRange)) return given;
  throw new InvalidArgumentError(
    `Give up to ${MAX_RANGES} IP addresses or CIDR ranges with commas between them, for example 203.0.113.0/24.`,
  );
}

/** A day begins at midnight UTC. */
export function parseDate(text: string): Date {
  const value = new Date(text);
  // `new Date('2026-02-30')` is the 2nd of March.
  if (/^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text) && isReal(text, value)) return value;
  throw new InvalidArgumentError('Give a date, for example 2027-01-31 or 2027-01-31T12:00:00Z.');
}

function isReal(text: string, value: Date): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return (
    !Number.isNaN(value.getTime()) &&
    !Number.isNaN(midnight.getTime()) &&
    midnight.toISOString().startsWith(day)
  );
}

/** SHA-256 in hexadecimal. */
export function parseHash(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('Give a hash of 64 digits and letters a to f.');
}

export function parseFlag(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Give true or false.');
}
