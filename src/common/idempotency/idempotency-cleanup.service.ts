import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseOutageService } from '../persistence/database-outage.service.js';
import { IdempotencyService } from './idempotency.service.js';

const RENEW_MS = 5_000;
const FORGET_MS = 10 * 60_000;

/** Renews the leases of requests in progress and deletes keys after a day. */
@Injectable()
export class IdempotencyCleanupService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(IdempotencyCleanupService.name);
  private timers: NodeJS.Timeout[] = [];
  private stopped = false;

  constructor(
    private readonly keys: IdempotencyService,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    this.every(RENEW_MS, 'renewing', () => this.keys.renewHeldKeys());
    this.every(FORGET_MS, 'forgetting', () => this.forget());
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
  }

  private async forget(): Promise<void> {
    while (!this.stopped && (await this.keys.deleteExpiredKeys()));
  }

  private every(ms: number, what: string, work: () => Promise<void>): void {
    const warn = (error: unknown): void => {
      if (this.outage.report(error)) return;
      this.logger.warn(`${what} idempotency keys failed (${error instanceof Error ? error.name : 'error'})`);
    };
    this.timers.push(setInterval(() => void work().catch(warn), ms).unref());
  }
}
