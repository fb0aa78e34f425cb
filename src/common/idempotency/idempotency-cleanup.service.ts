import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IdempotencyService } from './idempotency.service.js';

const RENEW_MS = 5_000;
const FORGET_MS = 10 * 60_000;

/** Keeps the leases of requests that are being worked on, and forgets keys after their day. */
@Injectable()
export class IdempotencyCleanupService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(IdempotencyCleanupService.name);
  private timers: NodeJS.Timeout[] = [];

  constructor(private readonly keys: IdempotencyService) {}

  onApplicationBootstrap(): void {
    this.every(RENEW_MS, 'renewing', () => this.keys.renewHeldKeys());
    this.every(FORGET_MS, 'forgetting', () => this.keys.deleteExpiredKeys());
  }

  onApplicationShutdown(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  private every(ms: number, what: string, work: () => Promise<void>): void {
    const warn = (error: unknown): void =>
      this.logger.warn(`${what} idempotency keys failed (${error instanceof Error ? error.name : 'error'})`);
    this.timers.push(setInterval(() => void work().catch(warn), ms).unref());
  }
}
