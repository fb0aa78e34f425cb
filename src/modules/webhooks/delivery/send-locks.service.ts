import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { SEND_LOCK, SEND_STOP_CHANNEL } from '#src/common/persistence/locks.js';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { DatabaseUnavailable } from '#src/common/persistence/database-unavailable.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantWebhooks } from '../../assistants/assistant-view.js';
import { AssistantsService } from '../../assistants/assistants.service.js';

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

/** Where the webhooks of an assistant are sent; undefined: it was deleted. */
type Targets = AssistantWebhooks['urls'] | undefined;

/** The right to send for an assistant until it is released; `signal` fires when the request must not leave any more. */
export interface SendPermit {
  /** As read under the lock. */
  readonly targets: Targets;
  signal: AbortSignal;
  /** Fires the signal. */
  abort(): void;
  release(): void;
}

type StopListener = (assistantId: number) => void;

/** The lock of an assistant and what was read under it, shared by permits of this process. */
interface SharedLock {
  assistantId: number;
  session: LockSession;
  targets: Targets;
  /** It is held, and `targets` are read. */
  isReady: boolean;
  /** Until when others may share it, in the milliseconds of `performance.now()`. */
  sharedUntil: number;
  permits: Set<AbortController>;
}

/** For this long requests of an assistant share a lock: each of its own would need three statements. */
const SHARED_MS = 250;
/** How long no lock is taken after a stop: those of a busy assistant overlap, and `drainSendLocks` looks every 20 ms. */
const PAUSE_MS = 100;

/**
 * Holds the shared side of `drainSendLocks`: this process has an advisory lock for every assistant for which a
 * request is between its check and its start. Requests that come soon share the lock and what was read under it; a stop
 * closes it. A process that dies loses its session and with it the locks.
 */
@Injectable()
export class SendLocksService implements OnApplicationShutdown {
  private readonly stopListeners: StopListener[] = [];
  private readonly locks = new Set<SharedLock>();
  /** Those of `locks` that more requests may share, by assistant. */
  private readonly open = new Map<number, { lock: SharedLock; ready: Promise<void> }>();
  /** Until a change of the assistant's webhook is likely to have seen that no lock is held. */
  private readonly paused = new Map<number, Promise<void>>();
  private session: Promise<LockSession> | null = null;
  private readonly targets = new BatchLoader<number, Targets>(
    (assistantIds) => this.readTargets(assistantIds),
    MAX_BATCH,
  );

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly assistants: AssistantsService,
    private readonly outage: DatabaseOutageService,
  ) {}

  /** Calls back when an assistant's webhook was switched off or moved in any process. May miss some. */
  onStop(listener: StopListener): void {
    this.stopListeners.push(listener);
  }

  /** Opens the session unless it is open. @throws when the database cannot be reached. */
  connect(): Promise<LockSession> {
    this.session ??= this.openSession();
    return this.session;
  }

  /** @throws when the database cannot be reached. */
  acquire(assistantId: number): SendPermit | Promise<SendPermit> {
    const lock = this.open.get(assistantId)?.lock;
    // After the process stood still its timer has not fired yet, and the change that waited may have given up.
    if (lock && performance.now() >= lock.sharedUntil) this.close(lock);
    else if (lock?.isReady) return this.permit(lock);
    return this.acquireWhenReady(assistantId);
  }

  private async acquireWhenReady(assistantId: number): Promise<SendPermit> {
    for (let pause = this.paused.get(assistantId); pause; pause = this.paused.get(assistantId)) await pause;
    const session = await this.connect();
    const { lock, ready } = this.open.get(assistantId) ?? this.openLock(assistantId, session);
    const permit = this.permit(lock);
    try {
      await ready;
      return permit;
    } catch (error) {
      permit.release();
      throw error;
    }
  }

  private openLock(assistantId: number, session: LockSession) {
    const lock: SharedLock = {
      assistantId,
      session,
      targets: undefined,
      isReady: false,
      sharedUntil: Infinity,
      permits: new Set(),
    };
    const opened = { lock, ready: this.makeReady(lock) };
    this.locks.add(lock);
    this.open.set(assistantId, opened);
    return opened;
  }

  private async makeReady(lock: SharedLock): Promise<void> {
    const { assistantId, session } = lock;
    try {
      await session.lock(assistantId);
      lock.targets = await this.targets.load(assistantId);
      lock.isReady = true;
      lock.sharedUntil = performance.now() + SHARED_MS;
    } catch (error) {
      this.close(lock);
      throw error;
    }
    setTimeout(() => this.close(lock), SHARED_MS).unref();
  }

  private async readTargets(assistantIds: number[]): Promise<Targets[]> {
    const webhooks = await this.assistants.webhooksOf(assistantIds);
    return assistantIds.map((id) => webhooks.get(id)?.urls);
  }

  private permit(lock: SharedLock): SendPermit {
    const permit = new AbortController();
    lock.permits.add(permit);
    return {
      get targets() {
        return lock.targets;
      },
      signal: permit.signal,
      abort: () => permit.abort(),
      release: () => {
        if (lock.permits.delete(permit)) this.unlockUnused(lock);
      },
    };
  }

  /** No more requests share it; it is given back with its last permit. */
  private close(lock: SharedLock): void {
    if (this.isOpen(lock)) this.open.delete(lock.assistantId);
    this.unlockUnused(lock);
  }

  private unlockUnused(lock: SharedLock): void {
    if (lock.permits.size > 0 || this.isOpen(lock) || !this.locks.delete(lock)) return;
    lock.session.unlock(lock.assistantId);
  }

  private isOpen(lock: SharedLock): boolean {
    return this.open.get(lock.assistantId)?.lock === lock;
  }

  async onApplicationShutdown(): Promise<void> {
    const session = await this.session?.catch(() => null);
    this.session = null;
    await session?.close();
  }

  private async openSession(): Promise<LockSession> {
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
    const pause = sleep(PAUSE_MS, undefined, { ref: false }).then(() => {
      if (this.paused.get(assistantId) === pause) this.paused.delete(assistantId);
    });
    this.paused.set(assistantId, pause);
    for (const lock of this.locks) {
      if (lock.assistantId !== assistantId) continue;
      for (const permit of lock.permits) permit.abort();
      this.close(lock);
    }
    for (const listener of this.stopListeners) listener(assistantId);
  }

  /** Without its lock no request may leave. */
  private lost(): void {
    if (!this.session) return;
    this.session = null;
    // The next delivery opens another.
    this.outage.report(new DatabaseUnavailable(null));
    const lost = [...this.locks];
    this.locks.clear();
    this.open.clear();
    for (const { permits } of lost) for (const permit of permits) permit.abort();
  }
}
