import { Injectable, Logger } from '@nestjs/common';
import { DataSource, In, type EntityManager } from 'typeorm';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { AuditService, SYSTEM } from '../audit/audit.service.js';
import { CarrierError } from '../telephony/carrier-error.js';
import { CarrierNumbers } from '../telephony/carrier-numbers.js';
import { OWNED_STATES, PhoneNumber } from './entities/phone-number.entity.js';
import { PhoneNumberWithdrawn, type WithdrawalReason } from './phone-number-events.js';
import { CallOnPhoneNumber, PhoneNumberNotFound, PurchaseUnconfirmed } from './phone-numbers.errors.js';

/** Whether something of the account uses the number (E.164) now, so that it cannot be released. */
export type NumberUseCheck = (tx: EntityManager, accountId: number, phoneNumber: string) => Promise<boolean>;

/** After a release that the carrier did not confirm. */
const TRY_AGAIN_MS = 5 * 60_000;
/** Longer than two answers of the carrier are waited for. */
const IN_FLIGHT_MS = 30_000;

/** Withdraws numbers from accounts and releases them at the carrier. */
@Injectable()
export class PhoneNumberReleasesService {
  private readonly logger = new Logger(PhoneNumberReleasesService.name);
  private readonly useChecks: NumberUseCheck[] = [];

  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
    private readonly carrier: CarrierNumbers,
    private readonly audit: AuditService,
  ) {}

  /** For the modules whose work runs on numbers, at start. */
  registerUseCheck(check: NumberUseCheck): void {
    this.useChecks.push(check);
  }

  /**
   * The number is no longer the account's when this resolves. While the carrier is away its part is done later.
   * @throws PhoneNumberNotFound, CallOnPhoneNumber, PurchaseUnconfirmed
   */
  async releasePhoneNumber(userId: number, id: number): Promise<void> {
    const withdrawn = await this.db.transaction(async (tx) => {
      // The dialler and inbound calls hold this lock while they create a call.
      await lockAccount(tx, userId);
      const number = await tx.findOneBy(PhoneNumber, { id, accountId: userId });
      if (!number) throw new PhoneNumberNotFound();
      if (number.state === 'buying') throw new PurchaseUnconfirmed();
      if (await this.isInUse(tx, number)) throw new CallOnPhoneNumber();
      await tx.update(PhoneNumber, id, { deletedAt: () => 'now()' });
      const isActive = number.state === 'active';
      if (isActive) await this.withdrawNumber(tx, number, 'released');
      await this.audit.record(tx, { accountId: userId, action: 'phone-number.delete', resourceId: id });
      return isActive ? number : null;
    });
    if (withdrawn) await this.finishRelease(withdrawn);
  }

  async isInUse(tx: EntityManager, { accountId, phoneNumber }: PhoneNumber): Promise<boolean> {
    for (const check of this.useChecks) if (await check(tx, accountId, phoneNumber)) return true;
    return false;
  }

  /** In the caller's transaction; `finishRelease` releases the number at the carrier. */
  async withdrawNumber(
    tx: EntityManager,
    { id, accountId }: Pick<PhoneNumber, 'id' | 'accountId'>,
    reason: WithdrawalReason,
  ): Promise<void> {
    // A user's release sends the request to the carrier itself.
    const dueAt = new Date(Date.now() + (reason === 'released' ? IN_FLIGHT_MS : 0));
    await tx.update(PhoneNumber, id, { state: 'releasing', dueAt });
    await this.events.publish(tx, PhoneNumberWithdrawn, { phoneNumberId: id, accountId, reason });
    const entry = { accountId, resourceId: id, details: { reason }, actor: SYSTEM };
    if (reason !== 'released') await this.audit.record(tx, { ...entry, action: 'phone-number.delete' });
  }

  /** Releases a withdrawn number at the carrier, now or, when that fails, later. */
  async finishRelease({ id, phoneNumber, carrierSid }: PhoneNumber): Promise<void> {
    const changes = { state: 'released', dueAt: null } as const;
    const released = await this.atCarrier(id, async () => {
      const sid = carrierSid ?? (await this.carrier.findNumber(phoneNumber))?.sid;
      if (sid) await this.carrier.releaseNumber(sid);
    });
    await this.db.manager.update(
      PhoneNumber,
      { id, state: 'releasing' },
      released ? changes : { dueAt: new Date(Date.now() + TRY_AGAIN_MS) },
    );
  }

  /** Releases a number that an abandoned order has bought, unless another order has it now. */
  async releaseAbandonedPurchase({ id, phoneNumber }: PhoneNumber, sid: string | null): Promise<void> {
    const where = { phoneNumber, state: In(OWNED_STATES) };
    const isLeft = sid !== null && !(await this.db.manager.exists(PhoneNumber, { where, withDeleted: true }));
    if (isLeft) await this.carrier.releaseNumber(sid);
    await this.db.manager.update(PhoneNumber, { id, state: 'failed' }, { dueAt: null });
  }

  private async atCarrier(id: number, request: () => Promise<void>): Promise<boolean> {
    try {
      await request();
      return true;
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`Number ${id} is not released yet: ${error.message}; trying again`);
      return false;
    }
  }
}
