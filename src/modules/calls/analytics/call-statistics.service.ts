import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { describeError } from '#src/common/errors/describe-error.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { FINAL_STATUSES } from '../states/call-states.js';
import {
  STATISTICS_FIGURES,
  RESPONSE_TIME_SUMS_SQL,
  statisticsRowsSql,
  FIGURE_SUMS_SQL,
  MAX_VALUES_PER_FIELD,
} from './call-statistics.js';

const SUM_INTERVAL_MS = 5_000;
/** Maximum of changes, and of uncounted older calls, per transaction. */
const BATCH = 2_000;

const INSERT_VALUES = `INSERT INTO call_stat_values (account_id, dimension, key)
  SELECT account_id, dimension, key FROM (
    SELECT account_id, dimension, key,
           row_number() OVER (PARTITION BY account_id, dimension ORDER BY min(id))
             + (SELECT count(*) FROM call_stat_values v
                 WHERE v.account_id = new.account_id AND v.dimension = new.dimension) AS place
      FROM (SELECT c.id, c.account_id, 'evaluation:' || e.key AS dimension, e.value AS key
              FROM call_stat_changes c CROSS JOIN LATERAL jsonb_each_text(c.evaluation) e
             WHERE c.id = ANY($1)) AS new
     WHERE NOT EXISTS (SELECT FROM call_stat_values v WHERE v.account_id = new.account_id
                          AND v.dimension = new.dimension AND v.key = new.key)
     GROUP BY account_id, dimension, key) AS numbered
   WHERE place <= ${MAX_VALUES_PER_FIELD}`;

/** A change of one property leaves the sums of the others as they are: their rows are not written. */
const HAS_CHANGED = `${STATISTICS_FIGURES.map((column) => `sum(${column}) <> 0`).join(' OR ')}
  OR 0 <> ANY(${RESPONSE_TIME_SUMS_SQL})`;

const SUM_UP = `WITH gone AS (DELETE FROM call_stat_changes WHERE id = ANY($1) RETURNING *)
  INSERT INTO call_stats AS s (account_id, dimension, hour, key, ${STATISTICS_FIGURES.join(', ')}, responses)
  SELECT account_id, dimension, hour, key, ${FIGURE_SUMS_SQL}, ${RESPONSE_TIME_SUMS_SQL}
    FROM ${statisticsRowsSql('gone')} AS rows GROUP BY account_id, dimension, hour, key HAVING ${HAS_CHANGED}
   ORDER BY account_id, dimension, hour, key
  ON CONFLICT (account_id, dimension, hour, key) DO UPDATE SET
    ${STATISTICS_FIGURES.map((column) => `${column} = s.${column} + excluded.${column}`).join(', ')},
    responses = add_counts(s.responses, excluded.responses)`;

/**
 * Sums up the changes that triggers write for finished calls, and has triggers count calls that ended before the
 * statistics existed. Docs: docs/build/adr/0038-statistics-of-calls.md.
 */
@Injectable()
export class CallStatisticsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CallStatisticsService.name);
  private readonly task = new PeriodicTask(
    SUM_INTERVAL_MS,
    (stopping) => this.sumAll(stopping),
    (error) => {
      if (!this.outage.reportOutage(error))
        this.logger.warn('Statistics of calls were not summed up; trying again', describeError(error));
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

  /** Runs until nothing is left; each transaction is complete in itself. */
  async sumAll(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.sumUp())) continue;
    while (!stopping.aborted && (await this.countUncounted())) {
      while (!stopping.aborted && (await this.sumUp())) continue;
    }
  }

  /**
   * Removes values of evaluations that no call has any more. Their places stay taken: a value that is counted as one of
   * the others stays one.
   *
   * @returns false: not yet, because changes are not summed up, or another process sums up
   */
  forgetUnusedValues(accountId: number): Promise<boolean> {
    return this.runExclusively(async (tx) => {
      const changes: unknown[] = await tx.query(
        'SELECT 1 FROM call_stat_changes WHERE account_id = $1 LIMIT 1',
        [accountId],
      );
      if (changes.length > 0) return false;
      await tx.query(
        `DELETE FROM call_stats WHERE account_id = $1 AND dimension LIKE 'evaluation:%' AND n = 0`,
        [accountId],
      );
      await tx.query(
        `UPDATE call_stat_values v SET key = 'erased ' || gen_random_uuid()
          WHERE account_id = $1 AND key NOT LIKE 'erased %' AND NOT EXISTS (
            SELECT FROM call_stats s WHERE s.account_id = v.account_id AND s.dimension = v.dimension AND s.key = v.key)`,
        [accountId],
      );
      return true;
    });
  }

  /** @returns whether there may be more; false also while another process works on it */
  private sumUp(): Promise<boolean> {
    return this.runExclusively(async (tx) => {
      const rows: { id: string }[] = await tx.query(
        `SELECT id FROM call_stat_changes ORDER BY id LIMIT ${BATCH}`,
      );
      if (rows.length === 0) return false;
      const ids = rows.map(({ id }) => id);
      await tx.query(INSERT_VALUES, [ids]);
      await tx.query(SUM_UP, [ids]);
      return rows.length === BATCH;
    });
  }

  private countUncounted(): Promise<boolean> {
    return this.runExclusively(async (tx) => {
      const [, count]: [unknown[], number] = await tx.query(
        `UPDATE calls SET response_counts = call_response_counts(id)
          WHERE id IN (SELECT id FROM calls WHERE response_counts IS NULL AND status = ANY($1)
                        ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
        [FINAL_STATUSES],
      );
      return count > 0;
    });
  }

  private runExclusively(work: (tx: EntityManager) => Promise<boolean>): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const [{ free } = { free: false }]: { free: boolean }[] = await tx.query(
        'SELECT pg_try_advisory_xact_lock($1) AS free',
        [ADVISORY_LOCKS.callStatistics],
      );
      return free && (await work(tx));
    });
  }
}
