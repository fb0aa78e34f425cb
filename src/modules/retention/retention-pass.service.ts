import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { describeError } from '#src/common/errors/describe-error.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { MINUTE_MS } from '#src/common/time/durations.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RestoreGateService } from '#src/database/restore-gate.service.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import type { RetentionStep } from './retention-plan.js';
import { RetentionPoliciesService } from './retention-policies.service.js';
import { RetentionRegistryService } from './retention-registry.service.js';

const EVERY_MS = 60 * MINUTE_MS;
/** Accounts that are worked on in turns. */
const ACCOUNTS_AT_ONCE = 100;
/** After a batch the database is left to others, for so many times the batch's own time. */
const PAUSE_PER_BATCH = 3;

/** Removes what is older than accounts and assistants want, every hour, in processes that run jobs. */
@Injectable()
export class RetentionPassService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RetentionPassService.name);
  private readonly removed: Counter<'kind'>;
  private readonly task = new PeriodicTask(
    EVERY_MS,
    async (stopping) => {
      // Of a restored database it is not clear yet that it stays.
      if (!this.gate.isHeld) await this.clearAll(stopping);
    },
    (error) => this.reportFailure(error),
  );

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly db: DataSource,
    private readonly policies: RetentionPoliciesService,
    private readonly work: RetentionRegistryService,
    private readonly outage: DatabaseOutageService,
    private readonly gate: RestoreGateService,
    { registry }: MetricsService,
  ) {
    this.removed = new Counter({
      name: 'retention_removed_total',
      help: 'Rows whose contents were removed because of their age, by kind.',
      labelNames: ['kind'],
      registers: [registry],
    });
  }

  onApplicationBootstrap(): void {
    if (runsJobs(this.settings)) withConnectionQuota('jobs', () => this.task.start({ immediately: true }));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Runs until nothing is left; each batch is complete in itself. */
  async clearAll(stopping: AbortSignal, now = new Date()): Promise<void> {
    let accounts = await this.policies.findAccounts(0, ACCOUNTS_AT_ONCE);
    while (accounts.length > 0 && !stopping.aborted) {
      const last = accounts.at(-1) ?? 0;
      // In turns: an account with much to remove delays no other one.
      while (accounts.length > 0 && !stopping.aborted) {
        const unfinished: number[] = [];
        for (const id of accounts) if (await this.clearSome(id, stopping, now)) unfinished.push(id);
        accounts = unfinished;
      }
      accounts = await this.policies.findAccounts(last, ACCOUNTS_AT_ONCE);
    }
  }

  /** A batch of each kind. @returns whether more may be left; false also after a failure: the next pass tries again */
  private async clearSome(accountId: number, stopping: AbortSignal, now: Date): Promise<boolean> {
    let isUnfinished = false;
    try {
      for (const step of await this.policies.planFor(accountId, now)) {
        if (stopping.aborted) return false;
        // It reads the sums of all hours: not after each batch, but when the contents of calls are removed.
        if (step.kind === 'statistics' && isUnfinished) continue;
        const begun = performance.now();
        const count = await this.clearBatch(step);
        this.removed.inc({ kind: step.kind }, count);
        if (count === 0) continue;
        isUnfinished = true;
        const pauseMs = (performance.now() - begun) * PAUSE_PER_BATCH;
        await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
      }
      return isUnfinished;
    } catch (error) {
      this.reportFailure(error);
      return false;
    }
  }

  /** 0 also while another process works for the account. */
  private clearBatch({ kind, scope }: RetentionStep): Promise<number> {
    return this.db.transaction(async (tx) => {
      const [{ free } = { free: false }]: { free: boolean }[] = await tx.query(
        'SELECT pg_try_advisory_xact_lock($1, $2) AS free',
        [ADVISORY_LOCKS.retention, scope.accountId],
      );
      return free ? ((await this.work.find(kind)?.(tx, scope)) ?? 0) : 0;
    });
  }

  private reportFailure(error: unknown): void {
    if (!this.outage.reportOutage(error))
      this.logger.warn('Old contents were not removed; trying again', describeError(error));
  }
}
