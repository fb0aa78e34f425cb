import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RestoreGateService } from '#src/database/restore-gate.service.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { describeError } from '#src/common/errors/describe-error.js';

const POLL_MS = 200;
const ALONE_SECONDS = 60;
/** Where another process can take calls over, they need not all end here. */
const WITH_OTHERS_SECONDS = 30;

/** Processes of this installation that answer the carrier: each names its connections after itself. */
const OTHERS = `
  SELECT count(DISTINCT application_name)::int AS count FROM pg_stat_activity
   WHERE datname = current_database() AND application_name ~ '^calls-(all|api)-' AND application_name <> $1`;

/** The shutdown of a process that holds calls: it begins nothing new and lets running calls finish. */
@Injectable()
export class DrainService {
  private readonly logger = new Logger(DrainService.name);
  private readonly running: (() => number)[] = [];
  private isDraining = false;
  private isAlone = false;

  constructor(
    private readonly db: DataSource,
    private readonly settings: RuntimeSettings,
    private readonly gate: RestoreGateService,
  ) {}

  /** From now on this process takes no new call. */
  get draining(): boolean {
    return this.isDraining;
  }

  /** Whether a caller who reaches this process now would reach no other one, or none that may take calls. */
  get refusesIncomingCalls(): boolean {
    return this.gate.isHeld || (this.isDraining && this.isAlone);
  }

  /** @param calls how many calls this process holds */
  registerCallCount(calls: () => number): void {
    this.running.push(calls);
  }

  /** Resolves when no call is left, or after the time that running calls have. */
  async drain(): Promise<void> {
    this.isDraining = true;
    if (this.held === 0) return;
    this.isAlone = !(await this.hasOthers());
    const seconds = this.settings.calls.drainSeconds ?? (this.isAlone ? ALONE_SECONDS : WITH_OTHERS_SECONDS);
    this.logger.log(`${this.held} calls are running: waiting for their end, ${seconds} s at most`);
    for (const deadline = Date.now() + seconds * 1000; this.held > 0; await sleep(POLL_MS)) {
      if (Date.now() < deadline) continue;
      this.logger.log(`${this.held} calls are handed over`);
      return;
    }
  }

  private get held(): number {
    return this.running.reduce((sum, calls) => sum + calls(), 0);
  }

  private async hasOthers(): Promise<boolean> {
    try {
      const [others] = await this.db.query<{ count: number }[]>(OTHERS, [this.settings.processName]);
      return (others?.count ?? 0) > 0;
    } catch (error) {
      this.logger.warn(
        'Other processes could not be looked up: this one stops as the only one',
        describeError(error),
      );
      return false;
    }
  }
}
