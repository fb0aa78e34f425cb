import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { IdempotencyService } from './idempotency.service.js';

const RENEW_MS = 5_000;
const FORGET_MS = 10 * 60_000;

/** Renews the leases of requests in progress and deletes keys after a day. */
@Injectable()
export class IdempotencyCleanupService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(IdempotencyCleanupService.name);
  private readonly tasks = [
    new PeriodicTask(RENEW_MS, () => this.keys.renewHeldKeys(), this.warn('renewing')),
    new PeriodicTask(FORGET_MS, (stopping) => this.forget(stopping), this.warn('forgetting')),
  ];

  constructor(
    private readonly keys: IdempotencyService,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private async forget(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.keys.deleteExpiredKeys()));
  }

  private warn(what: string): (error: unknown) => void {
    return (error) => {
      if (this.outage.reportOutage(error)) return;
      this.logger.warn(
        `${what} idempotency keys failed (${error instanceof Error ? error.name : 'error'}); trying again`,
      );
    };
  }
}
