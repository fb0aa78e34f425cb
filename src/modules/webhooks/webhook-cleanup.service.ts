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

const EVERY_MS = 10 * 60_000;
/** Rows that one statement removes: short locks, short transactions. */
const BATCH = 1_000;

/** Removes what is older than the retention, in the processes that run jobs. */
@Injectable()
export class WebhookCleanupService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookCleanupService.name);
  private readonly task = new PeriodicTask(
    EVERY_MS,
    (stopping) => this.prune(stopping),
    (error) => {
      if (this.outage.reportOutage(error)) return;
      this.logger.warn(`Pruning deliveries failed (${error instanceof Error ? error.name : 'error'})`);
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

  private async prune(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.pruneBatch()) === BATCH);
    await this.secrets.prune();
  }

  /** Pending deliveries are kept. Concurrent workers skip each other's locked rows. */
  private async pruneBatch(): Promise<number> {
    const [, count]: [unknown[], number] = await this.db.query(
      `DELETE FROM webhook_deliveries WHERE id IN (
         SELECT id FROM webhook_deliveries
          WHERE created_at < now() - make_interval(days => $1) AND state <> 'pending'
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [this.settings.webhooks.retentionDays, BATCH],
    );
    return count;
  }
}
