import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { runsJobs, RuntimeSettings } from '#src/config/runtime-settings.js';
import { KeyRotationService } from './key-rotation.service.js';

const INTERVAL_MS = 10 * 60_000;

/** At the start and every ten minutes, in processes that run jobs: encrypts secrets that an earlier version stored. */
@Injectable()
export class OutdatedSecretsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutdatedSecretsService.name);
  private readonly task = new PeriodicTask(
    INTERVAL_MS,
    (stopping) => this.finish(stopping),
    (error) => {
      if (this.outage.reportOutage(error)) return;
      this.logger.warn(`Encrypting stored secrets failed (${error instanceof Error ? error.name : 'error'})`);
    },
  );

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly rotation: KeyRotationService,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    if (runsJobs(this.settings)) this.task.start({ immediately: true });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  private async finish(stopping: AbortSignal): Promise<void> {
    const { changed, unreadable } = await this.rotation.finish(stopping);
    if (changed > 0) this.logger.log(`Encrypted ${changed} stored secrets`);
    if (unreadable.length > 0)
      this.logger.warn(
        `${unreadable.length} stored secrets cannot be decrypted: ${unreadable.slice(0, 5).join(', ')}`,
      );
  }
}
