import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RetentionScope } from '../retention/retention-plan.js';
import { RETENTION_BATCH, RetentionRegistryService } from '../retention/retention-registry.service.js';

/** Removes finished deliveries, as `WEBHOOK_RETENTION_DAYS` does for all accounts, and what receivers answered. */
@Injectable()
export class WebhookRetentionService implements OnModuleInit {
  constructor(private readonly retention: RetentionRegistryService) {}

  onModuleInit(): void {
    this.retention.register('deliveries', (tx, scope) => this.removeDeliveries(tx, scope));
  }

  async removeDeliveries(
    tx: EntityManager,
    { accountId, assistantIds, before }: RetentionScope,
  ): Promise<number> {
    const [rows, count]: [{ call_id: number | null }[], number] = await tx.query(
      `DELETE FROM webhook_deliveries WHERE id IN (
         SELECT id FROM webhook_deliveries
          WHERE account_id = $1 AND assistant_id = ANY($2) AND created_at < $3 AND state <> 'pending'
          LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING call_id`,
      [accountId, assistantIds, before],
    );
    const callIds = rows.map(({ call_id }) => call_id).filter((id) => id !== null);
    if (callIds.length > 0) await tx.query('SELECT forget_webhook_bodies($1)', [callIds]);
    return count;
  }
}
