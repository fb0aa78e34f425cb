import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import {
  beat,
  LOST_IN_FAILOVER_MS,
  markRestored,
  readRestoreState,
  readSeen,
  RESTORE_REASONS,
} from './restore-state.js';

const EVERY_MS = 2_000;

/**
 * Whether the database was restored to an earlier moment and no operator has released it yet (`restore confirm`).
 * Until then jobs, listeners of events and requests that change something are refused, in every process: they ask
 * here. The row of `installation` decides; it is read every two seconds.
 */
@Injectable()
export class RestoreGateService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RestoreGateService.name);
  /** Closed until the row was read. */
  private isClosed = true;
  /** By the database's clock. */
  private lastSeen: Date | null = null;
  // The outage of a database is reported by those whom it concerns. What was read last holds.
  private readonly task = new PeriodicTask(EVERY_MS, () => this.look());

  constructor(private readonly db: DataSource) {}

  /** Before jobs and requests begin, and before the database is changed: it is compared with what was seen of it. */
  async onModuleInit(): Promise<void> {
    this.isClosed = false;
    await this.readState();
    this.lastSeen = await readSeen(this.db);
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  get isHeld(): boolean {
    return this.isClosed;
  }

  /** By the database's clock; null: no service has used it before. */
  get seen(): Date | null {
    return this.lastSeen;
  }

  /** Closes the gate when the database is older than what was seen of it, e.g. by a process that has ended since. */
  async compare(seen: Date): Promise<void> {
    const now = await readSeen(this.db);
    if (now === null || seen.getTime() - now.getTime() <= LOST_IN_FAILOVER_MS) return;
    await markRestored(this.db, RESTORE_REASONS.behind, null);
    await this.readState();
  }

  private async look(): Promise<void> {
    if (!this.isClosed && this.lastSeen) await this.compare(this.lastSeen);
    await this.readState();
    this.lastSeen = this.isClosed ? null : await beat(this.db);
  }

  private async readState(): Promise<void> {
    const state = await readRestoreState(this.db);
    if ((state !== null) === this.isClosed) return;
    this.isClosed = state !== null;
    if (state === null) this.logger.log('The restored database is released: work goes on');
    else
      this.logger.warn(
        `The database was restored (${state.because}): nothing is dialled, sent or charged. ` +
          'Next: npm run cli -- restore confirm',
      );
  }
}
