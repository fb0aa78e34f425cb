import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { type PhoneNumberEventPayload, PhoneNumberWithdrawn } from '../phone-numbers/phone-number-events.js';
import { CampaignDiallingService } from './campaign-dialling.service.js';

/** Campaigns let a number go that the account no longer has. */
@Injectable()
export class CampaignNumbersListener {
  constructor(
    private readonly db: DataSource,
    private readonly dialling: CampaignDiallingService,
  ) {}

  /** One that names no other number stops: without names it would call from any number of the account. */
  @OnDomainEvent(PhoneNumberWithdrawn)
  async onNumberWithdrawn({
    payload: { phoneNumberId, accountId },
  }: DomainEvent<PhoneNumberEventPayload>): Promise<void> {
    await this.db.transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const [changed]: [{ id: number; isWithoutNumber: boolean }[], number] = await tx.query(
        `UPDATE campaigns SET phone_number_ids = array_remove(phone_number_ids, $1), updated_at = now()
          WHERE account_id = $2 AND $1 = ANY(phone_number_ids)
          RETURNING id, phone_number_ids = '{}' AS "isWithoutNumber"`,
        [phoneNumberId, accountId],
      );
      for (const { id, isWithoutNumber } of changed)
        if (isWithoutNumber) await this.dialling.stopCampaign(tx, { id, accountId }, 'no_phone_number');
    });
  }
}
