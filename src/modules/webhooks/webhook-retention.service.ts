import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { oldRowsSql, scopeValues } from '../retention/old-rows.js';
import type { RetentionScope } from '../retention/retention-plan.js';
import { RetentionRegistryService } from '../retention/retention-registry.service.js';

const OLD_DELIVERIES = oldRowsSql({
  table: 'webhook_deliveries',
  time: 'created_at',
  condition: `state <> 'pending'`,
});

/** Removes finished deliveries, as `WEBHOOK_RETENTION_DAYS` does for all accounts, and what receivers answered. */
@Injectable()
export class WebhookRetentionService implements OnModuleInit {
  constructor(private readonly retention: RetentionRegistryService) {}

  onModuleInit(): void {
    this.retention.register('deliveries', (tx, scope) => this.removeDeliveries(tx, scope));
  }

  async removeDeliveries(tx: EntityManager, scope: RetentionScope): Promise<number> {
    const [rows, count]: [{ call_id: number | null }[], number] = await tx.query(
      `DELETE FROM webhook_deliveries WHERE id IN (${OLD_DELIVERIES}) RETURNING call_id`,
      scopeValues(scope),
    );
    const callIds = rows.map(({ call_id }) => call_id).filter((id) => id !== null);
    if (callIds.length > 0) await tx.query('SELECT forget_webhook_bodies($1)', [callIds]);
    return count;
  }
}
