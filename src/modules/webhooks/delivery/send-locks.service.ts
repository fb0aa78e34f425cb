import pg from 'pg';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { SEND_LOCK, SEND_STOP_CHANNEL } from '#src/common/persistence/locks.js';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { DatabaseUnavailable } from '#src/common/persistence/database-unavailable.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';

interface Step {
  assistantId: number;
  lock: boolean;
}

interface Listeners {
  onStop(assistantId: number): void;
  onLost(): void;
}

/** A lock waits for one poll of `drainSendLocks` at most. */
const STATEMENT_TIMEOUT_MS = 5_000;
const MAX_BATCH = 200;
/** Locks first: between an unlock and a lock of one batch the assistant would be free for no reason. */
const STEPS = {
  name: 'steps',
  text: `SELECT pg_advisory_lock_shared($1, id)::text FROM unnest($2::int[]) AS id
         UNION ALL SELECT pg_advisory_unlock_shared($1, id)::text FROM unnest($3::int[]) AS id`,
};

/** A database session of its own: session locks and notifications belong to a connection, not to a pool. */
export class LockSession {
  private readonly steps = new BatchLoader<Step, void>((steps) => this.take(steps), MAX_BATCH);

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
    return this.steps.load({ assistantId, lock: true });
  }

  /** In its turn: a lock of the same assistant that is asked for later is taken later. */
  unlock(assistantId: number): void {
    // When the session is gone, so is the lock.
    this.steps.load({ assistantId, lock: false }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async take(steps: Step[]): Promise<void[]> {
    const ids = (lock: boolean): number[] =>
      steps.filter((step) => step.lock === lock).map(({ assistantId }) => assistantId);
    try {
      await this.client.query({ ...STEPS, values: [SEND_LOCK, ids(true), ids(false)] });
      return steps.map(() => undefined);
    } catch (error) {
      // The state of its locks is unknown: the session is closed.
      void this.close().catch(() => undefined);
      throw error;
    }
  }
}

/** The right to send for an assistant until it is released; `signal` fires when the request must not leave any more. */
export interface SendPermit {
  signal: AbortSignal;
  /** Fires the signal. */
  abort(): void;
  release(): void;
}

type StopListener = (assistantId: number) => void;

/** The lock of one assistant, shared by this process's permits for it. */
interface SharedLock {
  session: LockSession;
  locked: Promise<void>;
  /** After `locked`. */
  isHeld: boolean;
  permits: Set<AbortController>;
}

/**
 * Holds the shared side of `drainSendLocks`: this process has an advisory lock for every assistant for which a
 * request is between its check and its start. A process that dies loses its session and with it the locks.
 */
@Injectable()
export class SendLocksService implements OnApplicationShutdown {
  private readonly stopListeners: StopListener[] = [];
  private locks = new Map<number, SharedLock>();
  private session: Promise<LockSession> | null = null;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly outage: DatabaseOutageService,
  ) {}

  /** Calls back when an assistant's webhook was switched off or moved in any process. May miss some. */
  onStop(listener: StopListener): void {
    this.stopListeners.push(listener);
  }

  /** Opens the session unless it is open. @throws when the database cannot be reached. */
  connect(): Promise<LockSession> {
    this.session ??= this.open();
    return this.session;
  }

  /** @throws when the database cannot be reached. */
  acquire(assistantId: number): SendPermit | Promise<SendPermit> {
    const lock = this.locks.get(assistantId);
    return lock?.isHeld ? this.permit(assistantId, lock) : this.lockFor(assistantId);
  }

  private async lockFor(assistantId: number): Promise<SendPermit> {
    const session = await this.connect();
    const known = this.locks.get(assistantId);
    const lock = known ?? { session, locked: session.lock(assistantId), isHeld: false, permits: new Set() };
    this.locks.set(assistantId, lock);
    const permit = this.permit(assistantId, lock);
    try {
      await lock.locked;
    } catch (error) {
      permit.release();
      throw error;
    }
    lock.isHeld = true;
    return permit;
  }

  private permit(assistantId: number, lock: SharedLock): SendPermit {
    const permit = new AbortController();
    lock.permits.add(permit);
    const release = (): void => {
      if (!lock.permits.delete(permit) || lock.permits.size > 0 || this.locks.get(assistantId) !== lock)
        return;
      this.locks.delete(assistantId);
      lock.session.unlock(assistantId);
    };
    return { signal: permit.signal, abort: () => permit.abort(), release };
  }

  async onApplicationShutdown(): Promise<void> {
    const session = await this.session?.catch(() => null);
    this.session = null;
    await session?.close();
  }

  private async open(): Promise<LockSession> {
    try {
      return await LockSession.open(this.settings.databaseUrl, {
        onStop: (assistantId) => this.stop(assistantId),
        onLost: () => this.lost(),
      });
    } catch (error) {
      this.session = null;
      throw new DatabaseUnavailable(error);
    }
  }

  private stop(assistantId: number): void {
    for (const permit of this.locks.get(assistantId)?.permits ?? []) permit.abort();
    for (const listener of this.stopListeners) listener(assistantId);
  }

  /** Without its lock no request may leave. */
  private lost(): void {
    if (!this.session) return;
    this.session = null;
    // The next delivery opens another.
    this.outage.report(new DatabaseUnavailable(null));
    const { locks } = this;
    this.locks = new Map();
    for (const { permits } of locks.values()) for (const permit of permits) permit.abort();
  }
}
