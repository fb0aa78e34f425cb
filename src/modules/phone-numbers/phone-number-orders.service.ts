import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { sqlState, UNIQUE_VIOLATION } from '#src/http/errors/error-response.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { currentKeyId } from '#src/common/work-context.js';
import { AuditService } from '../audit/audit.service.js';
import type { LedgerSource } from '../accounts/ledger-audit.service.js';
import { LedgerService } from '../accounts/ledger.service.js';
import { SpendLimitsService } from '../accounts/spend-limits.service.js';
import type { CarrierNumber } from '../telephony/carrier-numbers.js';
import { PhoneNumber } from './entities/phone-number.entity.js';
import {
  BalanceTooLowForNumber,
  PhoneNumberNotAvailable,
  TooManyPhoneNumbers,
} from './phone-numbers.errors.js';
import { extendSubscription } from './subscription.js';

/** Keeps the list of an account's numbers short enough for one answer. */
const MAX_NUMBERS = 1_000;
/** Longer than the carrier's answer to a purchase and to a look-up is waited for. */
const IN_FLIGHT_MS = 30_000;
/** Delay of the second check for a number that seems not to be bought. */
const CHECK_AGAIN_MS = 3_600_000;

/** A month costs unless the number was never bought. */
export const PHONE_NUMBER_LEDGER_SOURCE: LedgerSource = {
  kinds: ['phone-number', 'phone-number-refund'],
  expected: (tx) =>
    tx
      .createQueryBuilder()
      .select('number.account_id', 'account_id')
      .addSelect(`number.id || ':' || month`, 'reference')
      .addSelect(`CASE WHEN number.state = 'failed' THEN 0 ELSE 0 - number.price_micros END`, 'net_micros')
      .from(
        `(SELECT phone_numbers.*, generate_series(1, paid_months) AS month FROM phone_numbers
           WHERE price_micros IS NOT NULL)`,
        'number',
      ),
};

/** A month of a number in the ledger, the first is 1. */
export const monthReference = ({ id }: Pick<PhoneNumber, 'id'>, month: number): string => `${id}:${month}`;

export type NumberOrder = Pick<
  PhoneNumber,
  'accountId' | 'phoneNumber' | 'countryCode' | 'type' | 'requestId'
> & {
  priceMicros: bigint;
};

/** A purchase and its money: both or neither. */
@Injectable()
export class PhoneNumberOrdersService {
  constructor(
    private readonly db: DataSource,
    private readonly ledger: LedgerService,
    private readonly audit: AuditService,
    private readonly spendLimits: SpendLimitsService,
  ) {}

  /** The number that an earlier attempt at the same request ordered. */
  findByRequest(requestId: string): Promise<PhoneNumber | null> {
    return this.db.manager.findOne(PhoneNumber, { where: { requestId }, withDeleted: true });
  }

  findById(id: number): Promise<PhoneNumber> {
    return this.db.manager.findOneOrFail(PhoneNumber, { where: { id }, withDeleted: true });
  }

  /**
   * Takes the first month and writes the number as `buying`: of two orders for one number the second is refused.
   * @throws PhoneNumberNotAvailable, BalanceTooLowForNumber, SpendLimitExceeded, TooManyPhoneNumbers
   */
  async orderNumber(order: NumberOrder): Promise<PhoneNumber> {
    try {
      return await this.spendLimits.noteRefusals(() => this.db.transaction((tx) => this.order(tx, order)));
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) throw new PhoneNumberNotAvailable();
      throw error;
    }
  }

  /** The carrier has bought it. @returns the number; `failed` when it was given up before */
  async confirmOrder(
    number: Pick<PhoneNumber, 'id' | 'createdAt'>,
    { sid, smsCapable }: CarrierNumber,
  ): Promise<PhoneNumber> {
    const { id } = number;
    const { affected } = await this.db.manager.update(
      PhoneNumber,
      { id, state: 'buying' },
      { state: 'active', carrierSid: sid, smsCapable, ...extendSubscription(number, 1) },
    );
    // Given up too early: a bought number is released as soon as possible.
    if (!affected) await this.db.manager.update(PhoneNumber, { id, state: 'failed' }, { dueAt: new Date() });
    return this.findById(id);
  }

  /**
   * The number was not bought: refunds the month, once.
   * @param isCertain false: the carrier is checked once more, later, and a bought number is released
   */
  async failOrder(id: number, isCertain: boolean): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [[row]]: [{ account_id: number; price_micros: string }[], number] = await tx.query(
        `UPDATE phone_numbers SET state = 'failed', deleted_at = now(), due_at = $2
          WHERE id = $1 AND state = 'buying' RETURNING account_id, price_micros`,
        [id, isCertain ? null : new Date(Date.now() + CHECK_AGAIN_MS)],
      );
      if (!row) return;
      await this.ledger.postEntry(tx, {
        accountId: row.account_id,
        kind: 'phone-number-refund',
        reference: monthReference({ id }, 1),
        amountMicros: BigInt(row.price_micros),
        mayOverdraw: true,
      });
    });
  }

  /** The request to the carrier has ended without an answer. @returns the number as it is now */
  async checkOrderSoon(id: number, afterMs: number): Promise<PhoneNumber> {
    await this.db.manager.update(
      PhoneNumber,
      { id, state: 'buying' },
      { dueAt: new Date(Date.now() + afterMs) },
    );
    return this.findById(id);
  }

  private async order(tx: EntityManager, order: NumberOrder): Promise<PhoneNumber> {
    const { accountId, priceMicros } = order;
    await lockAccount(tx, accountId);
    if ((await tx.countBy(PhoneNumber, { accountId })) >= MAX_NUMBERS)
      throw new TooManyPhoneNumbers(MAX_NUMBERS);
    const number = tx.create(PhoneNumber, {
      ...order,
      state: 'buying',
      paidMonths: 1,
      dueAt: new Date(Date.now() + IN_FLIGHT_MS),
    });
    await tx.insert(PhoneNumber, number);
    const keyId = currentKeyId();
    const outcome = await this.ledger.postEntry(tx, {
      accountId,
      keyId,
      kind: 'phone-number',
      reference: monthReference(number, 1),
      amountMicros: -priceMicros,
      mayOverdraw: false,
      isLimited: true,
    });
    if (outcome === 'refused') throw await this.spendLimits.refusalOf(tx, { accountId, keyId }, priceMicros);
    if (outcome !== 'posted') throw new BalanceTooLowForNumber();
    await this.audit.record(tx, { accountId, action: 'phone-number.create', resourceId: number.id });
    return number;
  }
}
