import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { DatabaseUnavailable } from '#src/common/persistence/database-unavailable.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { LockSession } from './lock-session.js';

/** The right to send for an assistant until it is released; `signal` fires when the request must not leave any more. */
export interface SendPermit {
  signal: AbortSignal;
  release(): void;
}

type StopListener = (assistantId: number) => void;

/** The lock of one assistant, shared by this process's permits for it. */
interface SharedLock {
  locked: Promise<void>;
  permits: Set<AbortController>;
}

/**
 * Holds the shared side of `waitForSenders`: this process has an advisory lock for every assistant for which a
 * request is between its check and its start. A process that dies loses its session and with it the locks.
 */
@Injectable()
export class SendPermits implements OnApplicationShutdown {
  private readonly stopListeners: StopListener[] = [];
  private locks = new Map<number, SharedLock>();
  private session: Promise<LockSession> | null = null;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly outage: DatabaseOutageService,
  ) {}

  /** Calls back when an assistant's webhook was switched off or moved, in whatever process. May miss some. */
  onStop(listener: StopListener): void {
    this.stopListeners.push(listener);
  }

  /** Opens the session unless it is open. @throws when the database cannot be reached. */
  connect(): Promise<LockSession> {
    this.session ??= this.open();
    return this.session;
  }

  /** @throws when the database cannot be reached. */
  async acquire(assistantId: number): Promise<SendPermit> {
    const session = await this.connect();
    const lock = this.locks.get(assistantId) ?? { locked: session.lock(assistantId), permits: new Set() };
    this.locks.set(assistantId, lock);
    const permit = new AbortController();
    lock.permits.add(permit);
    const release = (): void => {
      if (!lock.permits.delete(permit) || lock.permits.size > 0 || this.locks.get(assistantId) !== lock)
        return;
      this.locks.delete(assistantId);
      session.unlock(assistantId);
    };
    try {
      await lock.locked;
    } catch (error) {
      release();
      throw error;
    }
    return { signal: permit.signal, release };
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
