import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { SEND_LOCK, SEND_STOP_CHANNEL } from '#src/common/persistence/send-gate.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';

/** The right to send for an assistant until it is released; `signal` fires when the request must not leave any more. */
export interface SendPermit {
  signal: AbortSignal;
  release(): void;
}

type StopListener = (assistantId: number) => void;

interface Held {
  assistantId: number;
  session: pg.Client;
  controller: AbortController;
}

/** Waiting for a lock takes as long as `waitForSenders` needs for one look. */
const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * Holds the shared side of `waitForSenders`: one session of this process has an advisory lock for every request
 * between its check and its start. A process that dies loses its session and with it the locks.
 */
@Injectable()
export class SendPermits implements OnApplicationShutdown {
  private readonly logger = new Logger(SendPermits.name);
  private readonly held = new Set<Held>();
  private readonly stopListeners: StopListener[] = [];
  private session: Promise<pg.Client> | null = null;

  constructor(private readonly settings: RuntimeSettings) {}

  /** Calls back when an assistant's webhook was switched off or moved, in whatever process. May miss some. */
  onStop(listener: StopListener): void {
    this.stopListeners.push(listener);
  }

  /** The session, opened when it is first needed. @throws when the database cannot be reached. */
  connected(): Promise<pg.Client> {
    this.session ??= this.open();
    return this.session;
  }

  /** @throws when the database cannot be reached. */
  async acquire(assistantId: number): Promise<SendPermit> {
    const session = await this.connected();
    await session.query('SELECT pg_advisory_lock_shared($1, $2)', [SEND_LOCK, assistantId]);
    const held: Held = { assistantId, session, controller: new AbortController() };
    this.held.add(held);
    return {
      signal: held.controller.signal,
      release: () => {
        if (!this.held.delete(held)) return;
        // When the session is gone, so is the lock.
        session
          .query('SELECT pg_advisory_unlock_shared($1, $2)', [SEND_LOCK, assistantId])
          .catch(() => undefined);
      },
    };
  }

  async onApplicationShutdown(): Promise<void> {
    const session = await this.session?.catch(() => null);
    this.session = null;
    await session?.end();
  }

  private async open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.settings.databaseUrl,
      application_name: 'webhooks',
      connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    client.on('notification', ({ payload }) => this.stop(Number(payload)));
    try {
      await client.connect();
      await client.query(`LISTEN ${SEND_STOP_CHANNEL}`);
    } catch (error) {
      this.session = null;
      throw error;
    }
    client.on('error', () => undefined);
    client.once('end', () => this.lost(client));
    return client;
  }

  private stop(assistantId: number): void {
    this.abort((held) => held.assistantId === assistantId);
    for (const listener of this.stopListeners) listener(assistantId);
  }

  /** Without its lock no request may leave. */
  private lost(client: pg.Client): void {
    if (!this.session) return;
    this.session = null;
    this.logger.warn('Lost the session that holds the send locks; the next delivery opens another');
    this.abort(({ session }) => session === client);
  }

  private abort(which: (held: Held) => boolean): void {
    for (const held of this.held) if (which(held)) held.controller.abort();
  }
}
