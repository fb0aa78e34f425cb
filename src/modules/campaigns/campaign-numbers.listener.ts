import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { type PhoneNumberEventPayload, PhoneNumberWithdrawn } from '../phone-numbers/phone-number-events.js';
import { CampaignStopped, type StopReason } from './campaign.types.js';

/** Campaigns let a number go that the account no longer has. */
@Injectable()
export class CampaignNumbersListener {
  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
  ) {}

  /** One that names no other number stops: without names it would call from any number of the account. */
  @OnDomainEvent(PhoneNumberWithdrawn)
  async onNumberWithdrawn({
    payload: { phoneNumberId, accountId },
  }: DomainEvent<PhoneNumberEventPayload>): Promise<void> {
    const reason: StopReason = 'no_phone_number';
    await this.db.transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const [changed]: [{ id: number; stopped: boolean }[], number] = await tx.query(
        `UPDATE campaigns campaign
            SET phone_number_ids = array_remove(campaign.phone_number_ids, $1), updated_at = now(),
                status = CASE WHEN before.stops THEN 'stopped' ELSE campaign.status END,
                stopped_reason = CASE WHEN before.stops THEN $3 ELSE campaign.stopped_reason END
           FROM (SELECT id, status = 'in-progress' AND phone_number_ids = ARRAY[$1::int] AS stops FROM campaigns
                  WHERE account_id = $2 AND $1 = ANY(phone_number_ids)) before
          WHERE campaign.id = before.id RETURNING campaign.id, before.stops AS stopped`,
        [phoneNumberId, accountId, reason],
      );
      for (const { id } of changed.filter(({ stopped }) => stopped)) {
        await this.events.publish(tx, CampaignStopped, { campaignId: id, accountId, reason });
      }
    });
  }
}
