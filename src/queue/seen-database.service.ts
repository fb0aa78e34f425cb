import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RestoreGateService } from '#src/database/restore-gate.service.js';
import { JobQueue } from './job-queue.js';

const EVERY_MS = 10_000;

/**
 * Keeps in the queue's Redis when a service last used the database, and compares at a start: a database that is older
 * was restored to an earlier moment, by whatever means. After a failover it is as old as it was.
 */
@Injectable()
export class SeenDatabaseService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask(EVERY_MS, async () => {
    if (this.gate.seen) this.queue.noteSeen(this.gate.seen);
  });

  constructor(
    private readonly gate: RestoreGateService,
    private readonly queue: JobQueue,
  ) {}

  async onModuleInit(): Promise<void> {
    const seen = await this.queue.readSeen();
    if (seen) await this.gate.compare(seen);
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
