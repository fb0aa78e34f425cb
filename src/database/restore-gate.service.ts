import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import {
  LOST_IN_FAILOVER_MS,
  markRestored,
  noteUse,
  readInstallation,
  RESTORE_REASONS,
  type InstallationState,
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

  constructor(
    private readonly db: DataSource,
    private readonly settings: RuntimeSettings,
  ) {}

  /** Before jobs and requests begin, and before the row is changed: it is compared with what was seen of it. */
  async onModuleInit(): Promise<void> {
    if (this.isCommand) return;
    this.isClosed = false;
    this.apply(await readInstallation(this.db));
  }

  onApplicationBootstrap(): void {
    if (!this.isCommand) this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** It begins no jobs and ends soon, and the columns of the gate may be missing: migrations are undone by commands. */
  private get isCommand(): boolean {
    return this.settings.instanceId === '';
  }

  get isHeld(): boolean {
    return this.isClosed;
  }

  /** When a service last used the database, by its clock; null: none has, or the gate is closed. */
  get seen(): Date | null {
    return this.lastSeen;
  }

  /** Closes the gate when the database is older than what was seen of it, e.g. by a process that has ended since. */
  async compare(seen: Date): Promise<void> {
    const state = await readInstallation(this.db);
    this.apply(isOlder(state, seen) ? await this.close() : state);
  }

  private async look(): Promise<void> {
    const state = await readInstallation(this.db);
    this.apply(this.lastSeen && isOlder(state, this.lastSeen) ? await this.close() : state);
    if (!this.isClosed) await noteUse(this.db);
  }

  private async close(): Promise<InstallationState> {
    await markRestored(this.db, RESTORE_REASONS.behind, null);
    return readInstallation(this.db);
  }

  private apply({ restored, seen }: InstallationState): void {
    this.lastSeen = restored === null ? seen : null;
    if ((restored !== null) === this.isClosed) return;
    this.isClosed = restored !== null;
    if (restored === null) this.logger.log('The restored database is released: work goes on');
    else
      this.logger.warn(
        `The database was restored (${restored.because}): nothing is dialled, sent or charged. ` +
          'Next: npm run cli -- restore confirm',
      );
  }
}

const isOlder = ({ restored, seen }: InstallationState, than: Date): boolean =>
  restored === null && seen !== null && than.getTime() - seen.getTime() > LOST_IN_FAILOVER_MS;
