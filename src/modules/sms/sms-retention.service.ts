import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RetentionScope } from '../retention/retention-plan.js';
import { RETENTION_BATCH } from '../retention/old-rows.js';
import { RetentionRegistryService } from '../retention/retention-registry.service.js';

/** Removes the bodies of SMS, here and then at the carrier; numbers, segments and costs stay. */
@Injectable()
export class SmsRetentionService implements OnModuleInit {
  constructor(private readonly retention: RetentionRegistryService) {}

  onModuleInit(): void {
    this.retention.register('sms', (tx, scope) => this.removeBodies(tx, scope));
  }

  /** A pending message is left out: its body tells it from others at the carrier. */
  async removeBodies(
    tx: EntityManager,
    { accountId, before }: Pick<RetentionScope, 'accountId' | 'before'>,
  ): Promise<number> {
    const [, count]: [unknown[], number] = await tx.query(
      `UPDATE sms_messages SET body = '', check_at = CASE WHEN sms_sid IS NOT NULL THEN now() END WHERE id IN (
         SELECT id FROM sms_messages
          WHERE account_id = $1 AND created_at < $2 AND body <> '' AND status <> 'pending' AND check_at IS NULL
          ORDER BY created_at LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED)`,
      [accountId, before],
    );
    return count;
  }
}
