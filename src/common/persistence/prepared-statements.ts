import { DisconnectSafeClient } from './disconnect-safe-client.js';

/** A statement that ran this often within `WINDOW_MS` is busy. */
const BUSY_RUNS = 20;
const WINDOW_MS = 60_000;
/** Each takes some ten kilobytes of every connection of the database. */
const MAX_NAMED = 200;
/** Texts that are counted. Lists of values make texts of any number. */
const MAX_COUNTED = 2_000;
const MAX_LENGTH = 8_000;
/** The table was changed since the statement was prepared, by a migration. */
const PLAN_IS_INVALID = '0A000';

/**
 * Assigns names to statements that run often, so that connections prepare them: a named statement is parsed once, and
 * planned once with a generic plan. Unnamed ones are parsed and planned at every run, the main cost of short
 * statements.
 */
export class PreparedStatementNames {
  private readonly names = new Map<string, string>();
  private counts = new Map<string, number>();
  private since = 0;
  private named = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** Counts a run. @returns the name of the statement; null while it is not frequent */
  countRun(text: string): string | null {
    const name = this.names.get(text);
    if (name !== undefined) return name;
    if (text.length > MAX_LENGTH || this.names.size >= MAX_NAMED) return null;
    if (this.now() - this.since > WINDOW_MS || this.counts.size >= MAX_COUNTED) {
      this.counts = new Map();
      this.since = this.now();
    }
    const runs = (this.counts.get(text) ?? 0) + 1;
    this.counts.set(text, runs);
    if (runs < BUSY_RUNS) return null;
    this.counts.delete(text);
    const given = `busy_${++this.named}`;
    this.names.set(text, given);
    return given;
  }

  /** The next run gets another name, so that every connection parses the statement again. */
  replaceName(text: string): void {
    this.names.delete(text);
  }
}

const statements = new PreparedStatementNames();

type Callback = (error: (Error & { code?: string }) | null, result?: unknown) => void;

interface Statement {
  name?: string;
  text: string;
  values: unknown;
}

/** A client that prepares frequent statements with parameters. */
export class PreparedStatementClient extends DisconnectSafeClient {
  // The overloads of the class have no common form.
  override query(...args: unknown[]): never {
    const [text, values, callback] = args as [unknown, unknown, Callback | undefined];
    if (typeof text !== 'string' || typeof values === 'function') return this.send(args);
    const name = Array.isArray(values) ? statements.countRun(text) : null;
    const statement = { ...(name !== null && { name }), text, values };
    if (callback) return this.run(statement, callback);
    // Not the promise of `pg`: until a major garbage collection it keeps the values of all statements of a long task.
    return new Promise((resolve, reject) => {
      this.run(statement, (error, result) => (error ? reject(error) : resolve(result)));
    }) as never;
  }

  private run(statement: Statement, callback: Callback): never {
    const done: Callback = (error, result) => {
      if (error?.code === PLAN_IS_INVALID) statements.replaceName(statement.text);
      callback(error, result);
    };
    return this.send([statement, done]);
  }

  private send(args: unknown[]): never {
    return Reflect.apply(super.query, this, args) as never;
  }
}
