import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { describeError } from '#src/common/errors/describe-error.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { ErasedNumber } from './entities/erased-number.entity.js';

const CLEANUP_INTERVAL_MS = 10 * 60_000;
/** Longer than any import runs. */
const KEPT_MS = 24 * 3_600_000;

/** Forgets erased numbers after a day, in processes that run jobs. */
@Injectable()
export class ErasedNumbersCleanupService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ErasedNumbersCleanupService.name);
  private readonly task = new PeriodicTask(
    CLEANUP_INTERVAL_MS,
    async () => {
      await this.numbers.delete({ createdAt: LessThan(new Date(Date.now() - KEPT_MS)) });
    },
    (error) => {
      if (!this.outage.reportOutage(error))
        this.logger.warn('Forgetting erased numbers failed; trying again', describeError(error));
    },
  );

  constructor(
    @InjectRepository(ErasedNumber) private readonly numbers: Repository<ErasedNumber>,
    private readonly settings: RuntimeSettings,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    if (runsJobs(this.settings)) this.task.start({ immediately: true });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
