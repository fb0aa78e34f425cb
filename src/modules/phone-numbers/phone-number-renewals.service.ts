import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { LedgerService } from '../accounts/ledger.service.js';
import { PhoneNumber } from './entities/phone-number.entity.js';
import { PhoneNumberUnpaid } from './phone-number-events.js';
import { monthReference } from './phone-number-orders.service.js';
import { PhoneNumberReleasesService } from './phone-number-releases.service.js';
import { paidUntil, extendSubscription, lapseSubscription } from './subscription.js';

/** An expired number on which a call still runs is withdrawn when the call is over. */
const CALL_CHECK_MS = 60_000;

/** Takes the price of the next month, and ends subscriptions that the balance does not cover. */
@Injectable()
export class PhoneNumberRenewalsService {
  constructor(
    private readonly db: DataSource,
    private readonly ledger: LedgerService,
    private readonly events: DomainEventsService,
    private readonly releases: PhoneNumberReleasesService,
  ) {}

  /** One month at most; idempotent per number and month. */
  async renewSubscription(
    { id, accountId }: Pick<PhoneNumber, 'id' | 'accountId'>,
    now: Date,
  ): Promise<void> {
    await this.db.transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const number = await tx.findOneBy(PhoneNumber, { id, state: 'active' });
      if (!number || number.priceMicros === null) return;
      if (now < paidUntil(number)) await tx.update(PhoneNumber, id, { dueAt: paidUntil(number) });
      else await this.renew(tx, { ...number, priceMicros: number.priceMicros }, now);
    });
  }

  private async renew(
    tx: EntityManager,
    number: PhoneNumber & { priceMicros: bigint },
    now: Date,
  ): Promise<void> {
    const month = number.paidMonths + 1;
    const outcome = await this.ledger.postEntry(tx, {
      accountId: number.accountId,
      kind: 'phone-number',
      reference: monthReference(number, month),
      amountMicros: -number.priceMicros,
      mayOverdraw: false,
    });
    if (outcome !== 'insufficient') {
      await tx.update(PhoneNumber, number.id, extendSubscription(number, month));
      return;
    }
    const changes = lapseSubscription(number, now);
    if (changes === null) return this.end(tx, number, now);
    await tx.update(PhoneNumber, number.id, changes);
    if (number.unpaidSince === null) {
      await this.events.publish(tx, PhoneNumberUnpaid, {
        phoneNumberId: number.id,
        accountId: number.accountId,
      });
    }
  }

  private async end(tx: EntityManager, number: PhoneNumber, now: Date): Promise<void> {
    if (!(await this.releases.isInUse(tx, number))) return this.releases.withdrawNumber(tx, number, 'unpaid');
    await tx.update(PhoneNumber, number.id, { dueAt: new Date(now.getTime() + CALL_CHECK_MS) });
  }
}
