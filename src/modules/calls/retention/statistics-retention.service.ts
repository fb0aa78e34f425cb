import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import type { RetentionScope } from '../../retention/retention-plan.js';
import { RETENTION_BATCH } from '../../retention/old-rows.js';
import { RetentionRegistryService } from '../../retention/retention-registry.service.js';
import { OTHER_GROUP_KEY } from '../analytics/call-statistics.js';

/** Keeps the place of a text: later values may not take it, because calls with them may be among the others. */
const REMOVED = 'removed:';

/** Removes texts of evaluations from the sums when no call with them is left; those of removed calls count as `other`. */
@Injectable()
export class StatisticsRetentionService implements OnModuleInit {
  constructor(private readonly retention: RetentionRegistryService) {}

  onModuleInit(): void {
    this.retention.register('statistics', (tx, scope) => this.removeUnusedTexts(tx, scope));
  }

  /** 0 also while statistics are summed up: the next pass finds what is left. */
  async removeUnusedTexts(
    tx: EntityManager,
    { accountId }: Pick<RetentionScope, 'accountId'>,
  ): Promise<number> {
    const [{ free } = { free: false }]: { free: boolean }[] = await tx.query(
      'SELECT pg_try_advisory_xact_lock($1) AS free',
      [ADVISORY_LOCKS.callStatistics],
    );
    if (!free) return 0;
    const [, empty]: [unknown[], number] = await tx.query(
      `DELETE FROM call_stats WHERE (account_id, dimension, hour, key) IN (
         SELECT account_id, dimension, hour, key FROM call_stats
          WHERE account_id = $1 AND dimension LIKE 'evaluation:%' AND n = 0 AND connected = 0 AND seconds = 0
            AND cost_micros = 0 AND evaluated = 0 AND 0 = ALL(responses) LIMIT ${RETENTION_BATCH})`,
      [accountId],
    );
    if (empty > 0) return empty;
    const [, texts]: [unknown[], number] = await tx.query(
      `UPDATE call_stat_values v SET key = '${REMOVED}' || gen_random_uuid()
        WHERE account_id = $1 AND key NOT IN ('true', 'false', '${OTHER_GROUP_KEY}') AND key NOT LIKE '${REMOVED}%'
          AND NOT EXISTS (SELECT FROM call_stats s
                           WHERE s.account_id = v.account_id AND s.dimension = v.dimension AND s.key = v.key)
          AND NOT EXISTS (SELECT FROM call_stat_changes c WHERE c.account_id = v.account_id
                             AND c.evaluation ->> substr(v.dimension, length('evaluation:') + 1) = v.key)`,
      [accountId],
    );
    return texts;
  }
}
