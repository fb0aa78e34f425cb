import pg from 'pg';
import { Batches } from '#src/common/persistence/batches.js';
import { SEND_LOCK, SEND_STOP_CHANNEL } from '#src/common/persistence/send-gate.js';

interface Step {
  assistantId: number;
  lock: boolean;
}

interface Listeners {
  onStop(assistantId: number): void;
  onLost(): void;
}

/** A lock waits for one look of `waitForSenders` at most. */
const STATEMENT_TIMEOUT_MS = 5_000;
const MAX_BATCH = 200;

/** A database session of its own: session locks and notifications belong to a connection, not to a pool. */
export class LockSession {
  private readonly steps = new Batches<Step, void>((steps) => this.take(steps), MAX_BATCH);

  private constructor(private readonly client: pg.Client) {}

  static async open(url: string, { onStop, onLost }: Listeners): Promise<LockSession> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'webhooks',
      connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    client.on('notification', ({ payload }) => onStop(Number(payload)));
    // 'end' follows.
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`LISTEN ${SEND_STOP_CHANNEL}`);
    client.once('end', onLost);
    return new LockSession(client);
  }

  lock(assistantId: number): Promise<void> {
    return this.steps.add({ assistantId, lock: true });
  }

  /** In its turn: a lock of the same assistant that is asked for later is taken later. */
  unlock(assistantId: number): void {
    // When the session is gone, so is the lock.
    this.steps.add({ assistantId, lock: false }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Locks first: between an unlock and a lock of one batch the assistant would be free for no reason. */
  private async take(steps: Step[]): Promise<void[]> {
    const ids = (lock: boolean): number[] =>
      steps.filter((step) => step.lock === lock).map(({ assistantId }) => assistantId);
    try {
      await this.call('pg_advisory_lock_shared', ids(true));
      await this.call('pg_advisory_unlock_shared', ids(false));
      return steps.map(() => undefined);
    } catch (error) {
      // Nobody knows which locks it holds now: it must not go on.
      void this.close().catch(() => undefined);
      throw error;
    }
  }

  private async call(name: string, ids: number[]): Promise<void> {
    if (ids.length > 0)
      await this.client.query(`SELECT ${name}($1, id) FROM unnest($2::int[]) AS id`, [SEND_LOCK, ids]);
  }
}
