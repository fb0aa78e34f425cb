import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';

const CLEANUP_INTERVAL_MS = 10 * 60_000;
/** Rows per statement: short locks, short transactions. */
const DELETE_BATCH = 1_000;

/** Removes deliveries older than the retention, in processes that run jobs. */
@Injectable()
export class WebhookCleanupService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookCleanupService.name);
  private readonly task = new PeriodicTask(
    CLEANUP_INTERVAL_MS,
    (stopping) => this.deleteExpired(stopping),
    (error) => {
      if (this.outage.reportOutage(error)) return;
      this.logger.warn(
        `Deleting expired deliveries failed (${error instanceof Error ? error.name : 'error'})`,
      );
    },
  );

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly db: DataSource,
    private readonly secrets: WebhookSecretsService,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    if (runsJobs(this.settings)) this.task.start({ immediately: true });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  private async deleteExpired(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.deleteExpiredBatch()) === DELETE_BATCH);
    await this.secrets.deleteExpiredSecrets();
  }

  /** Pending deliveries are kept. Concurrent workers skip each other's locked rows. */
  private async deleteExpiredBatch(): Promise<number> {
    const [, count]: [unknown[], number] = await this.db.query(
      `DELETE FROM webhook_deliveries WHERE id IN (
         SELECT id FROM webhook_deliveries
          WHERE created_at < now() - make_interval(days => $1) AND state <> 'pending'
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [this.settings.webhooks.retentionDays, DELETE_BATCH],
    );
    return count;
  }
}
