import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, Not } from 'typeorm';
import { toAmount } from '#src/common/money/micros.js';
import { DAY_MS } from '#src/common/time/durations.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { AuditService, SYSTEM } from '../audit/audit.service.js';
import { SpendAlert, WHOLE_ACCOUNT } from './entities/spending.entities.js';
import { type SpendLimitPayload, SpendLimitReached } from './spend-events.js';

/** Until then a repeated event finds its alert; a later one has nothing to report. */
const KEPT_MS = 7 * DAY_MS;

/** Writes limits that were reached to the audit log, each once, and removes old alerts of the account. */
@Injectable()
export class SpendAlertsListener {
  constructor(private readonly audit: AuditService) {}

  @OnDomainEvent(SpendLimitReached)
  async onSpendLimitReached({
    payload: { accountId, alertId },
  }: DomainEvent<SpendLimitPayload>): Promise<void> {
    await this.audit.change(async (tx, record) => {
      const { affected } = await tx.update(
        SpendAlert,
        { id: alertId, recordedAt: IsNull() },
        { recordedAt: () => 'now()' },
      );
      if (!affected) return;
      const { keyId, limitMicros, spentMicros } = await tx.findOneByOrFail(SpendAlert, { id: alertId });
      const isOfAccount = keyId === WHOLE_ACCOUNT;
      record({
        accountId,
        action: isOfAccount ? 'account.reach-spend-limit' : 'api-key.reach-spend-limit',
        resourceId: isOfAccount ? accountId : keyId,
        details: { spend_limit_per_hour: toAmount(limitMicros), spent: toAmount(spentMicros) },
        actor: SYSTEM,
      });
      const hour = LessThan(new Date(Date.now() - KEPT_MS));
      await tx.delete(SpendAlert, { accountId, recordedAt: Not(IsNull()), hour });
    });
  }
}
