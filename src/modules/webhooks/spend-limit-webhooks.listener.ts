import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccessTokensService } from '#src/auth/access-tokens.service.js';
import { toAmount } from '#src/common/money/micros.js';
import { toIsoMicros } from '#src/common/time/time.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { type SpendLimitPayload, SpendLimitReached } from '../accounts/spend-events.js';
import { endOfHour } from '../accounts/spend-hour.js';
import { SpendLimitsService } from '../accounts/spend-limits.service.js';
import { AccountWebhooksService } from '../assistants/account-webhooks.service.js';
import { NewDeliveriesService } from './delivery/new-deliveries.service.js';

/** Reports spend limits that were reached to each receiver of the account that wants more than completed calls. */
@Injectable()
export class SpendLimitWebhooksListener {
  constructor(
    private readonly limits: SpendLimitsService,
    private readonly tokens: AccessTokensService,
    private readonly receivers: AccountWebhooksService,
    private readonly deliveries: NewDeliveriesService,
  ) {}

  @OnDomainEvent(SpendLimitReached)
  async onSpendLimitReached({
    occurredAt,
    payload: { accountId, alertId },
  }: DomainEvent<SpendLimitPayload>): Promise<void> {
    const alert = await this.limits.findAlert(alertId);
    if (!alert) return;
    const { keyId, hour, limitMicros, spentMicros } = alert;
    const name = keyId === null ? null : await this.tokens.findName(accountId, keyId);
    const payload = {
      event: 'spend_limit_reached',
      // Null: the limit of the account.
      api_key: keyId === null ? null : { id: keyId, name },
      spend_limit_per_hour: toAmount(limitMicros),
      spent: toAmount(spentMicros),
      hour_ends_at: toIsoMicros(endOfHour(hour)),
      timestamp: toIsoMicros(occurredAt),
    };
    for (const { url, assistantId } of await this.receivers.findReceivers(accountId)) {
      await this.deliveries.createDelivery({
        // By the URL: whose oldest assistant is deleted meanwhile gets the event once all the same.
        eventKey: `spend_limit_reached:${alertId}:${hashOf(url)}`,
        channel: 'post-call',
        event: 'spend_limit_reached',
        accountId,
        assistantId,
        callId: null,
        test: false,
        url,
        payload,
      });
    }
  }
}

const hashOf = (url: string): string => createHash('sha256').update(url).digest('base64url');
