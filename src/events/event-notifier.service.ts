import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { DatabaseUnavailable } from '#src/common/persistence/database-unavailable.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { EVENTS_CHANNEL } from './domain-events.service.js';

const RECONNECT_MS = 1_000;

/** A connection that listens for commits with events. While it is down, `waitForEvent` ends at its time-out. */
@Injectable()
export class EventNotifierService {
  private client: pg.Client | null = null;
  private reconnect: NodeJS.Timeout | null = null;
  private isNotified = false;
  private endWait: (() => void) | null = null;
  private stopped = false;

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly outage: DatabaseOutageService,
  ) {}

  start(): void {
    const client = new pg.Client({ connectionString: this.settings.databaseUrl, application_name: 'events' });
    this.client = client;
    client.on('notification', () => this.notify());
    client.on('error', (error) => this.retry(client, error));
    client.on('end', () => this.retry(client));
    this.listen(client).catch((error: unknown) => this.retry(client, error));
  }

  /** Ends when an event was committed since the last call, or after `ms`. */
  async waitForEvent(ms: number): Promise<void> {
    if (!this.isNotified && !this.stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.endWait = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.isNotified = false;
    this.endWait = null;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.reconnect) clearTimeout(this.reconnect);
    this.notify();
    await this.client?.end().catch(() => undefined);
  }

  /** Ends the current `waitForEvent`, or the next one at once. */
  notify(): void {
    this.isNotified = true;
    this.endWait?.();
  }

  private async listen(client: pg.Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${EVENTS_CHANNEL}`);
    // For events that were committed meanwhile.
    this.notify();
  }

  private retry(client: pg.Client, error?: unknown): void {
    if (this.stopped || this.client !== client) return;
    this.client = null;
    this.outage.reportOutage(new DatabaseUnavailable(error));
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => this.start(), RECONNECT_MS);
  }
}
