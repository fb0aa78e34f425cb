import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { DatabaseUnavailable } from '#src/common/persistence/database-unavailable.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { EVENTS_CHANNEL } from './domain-events.service.js';

const RECONNECT_MS = 1_000;

/** A connection that listens for commits with events. While it is down, `wait` ends at its time-out. */
@Injectable()
export class EventNotifierService {
  private client: pg.Client | null = null;
  private reconnect: NodeJS.Timeout | null = null;
  private rung = false;
  private ring: (() => void) | null = null;
  private stopped = false;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly outage: DatabaseOutageService,
  ) {}

  start(): void {
    const client = new pg.Client({ connectionString: this.settings.databaseUrl, application_name: 'events' });
    this.client = client;
    client.on('notification', () => this.wake());
    client.on('error', (error) => this.retry(client, error));
    client.on('end', () => this.retry(client));
    this.listen(client).catch((error: unknown) => this.retry(client, error));
  }

  /** Ends when an event was committed since the last call, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.rung && !this.stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.rung = false;
    this.ring = null;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.reconnect) clearTimeout(this.reconnect);
    this.wake();
    await this.client?.end().catch(() => undefined);
  }

  /** Ends the current `wait`, or the next one at once. */
  wake(): void {
    this.rung = true;
    this.ring?.();
  }

  private async listen(client: pg.Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${EVENTS_CHANNEL}`);
    // For what was committed meanwhile.
    this.wake();
  }

  private retry(client: pg.Client, error?: unknown): void {
    if (this.stopped || this.client !== client) return;
    this.client = null;
    this.outage.report(new DatabaseUnavailable(error));
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => this.start(), RECONNECT_MS);
  }
}
