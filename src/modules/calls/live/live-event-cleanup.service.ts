import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { LiveEventsRepository } from './live-events.repository.js';

const EVERY_MS = 60_000;

/** Deletes live events after an hour, in the processes that run jobs. */
@Injectable()
export class LiveEventCleanupService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LiveEventCleanupService.name);
  private readonly task = new PeriodicTask(
    EVERY_MS,
    async (stopping) => {
      while (!stopping.aborted && (await this.events.deleteExpired()));
    },
    (error) => {
      if (!this.outage.reportOutage(error))
        this.logger.warn('Expired live events were not deleted; trying again', describeError(error));
    },
  );

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly events: LiveEventsRepository,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    if (runsJobs(this.settings)) withConnectionQuota('jobs', () => this.task.start({ immediately: true }));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
