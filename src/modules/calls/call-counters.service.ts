import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { describeError } from '#src/common/errors/describe-error.js';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';

const COMPACT_INTERVAL_MS = 30_000;
/** Maximum of days of accounts per transaction. */
const MAX_DAYS_PER_RUN = 1_000;

/** Compacts the counters of calls that a trigger writes: `count(*)` over a million rows takes longer than the page. */
@Injectable()
export class CallCountersService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CallCountersService.name);
  private readonly task = new PeriodicTask(
    COMPACT_INTERVAL_MS,
    () => this.compact(),
    (error) => {
      if (!this.outage.reportOutage(error))
        this.logger.warn('Counts of calls were not summed up; trying again', describeError(error));
    },
  );

  constructor(
    private readonly db: DataSource,
    private readonly settings: RuntimeSettings,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    if (runsJobs(this.settings)) this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /**
   * Merges the rows of equal keys, for a bounded number of days and accounts per run. Reads only rows that are not
   * sums, by an index. Sums of a day of an account are written together: a list adds up thousands, which otherwise are
   * in as many pages.
   */
  async compact(): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [{ free } = { free: false }]: { free: boolean }[] = await tx.query(
        'SELECT pg_try_advisory_xact_lock($1) AS free',
        [ADVISORY_LOCKS.callCounters],
      );
      if (!free) return;
      await tx.query(
        `WITH changed AS (
           SELECT DISTINCT account_id, day FROM call_tallies WHERE NOT is_sum LIMIT ${MAX_DAYS_PER_RUN}),
         gone AS (
           DELETE FROM call_tallies t USING changed c
            WHERE t.account_id = c.account_id AND t.day = c.day RETURNING t.*)
         INSERT INTO call_tallies (account_id, day, assistant_id, campaign_id, type, status, n, is_sum)
         SELECT account_id, day, assistant_id, campaign_id, type, status, sum(n), true
           FROM gone GROUP BY account_id, day, assistant_id, campaign_id, type, status HAVING sum(n) <> 0
          ORDER BY account_id, day`,
      );
    });
  }
}
