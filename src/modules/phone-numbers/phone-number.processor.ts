import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import { JobProcessor, type JobResult, type JobRow, type RowProcessor } from '#src/queue/job-queue.js';
import { CarrierError } from '../telephony/carrier-error.js';
import type { PhoneNumber } from './entities/phone-number.entity.js';
import { PhoneNumberOrdersService } from './phone-number-orders.service.js';
import { PhoneNumberPurchasesService } from './phone-number-purchases.service.js';
import { PhoneNumberReleasesService } from './phone-number-releases.service.js';
import { PhoneNumberRenewalsService } from './phone-number-renewals.service.js';

/** Longer than a look-up and a release at the carrier take; after a failure it is tried again when the lease ends. */
const LEASE_SECONDS = 30;

/** Confirms, renews and releases numbers, by their state. */
@JobProcessor('phone-number')
export class PhoneNumberProcessor implements RowProcessor {
  private readonly logger = new Logger(PhoneNumberProcessor.name);
  private readonly rows: LeasedRows<Lease & { now: Date }>;

  constructor(
    private readonly orders: PhoneNumberOrdersService,
    private readonly purchases: PhoneNumberPurchasesService,
    private readonly renewals: PhoneNumberRenewalsService,
    private readonly releases: PhoneNumberReleasesService,
    db: DataSource,
  ) {
    this.rows = new LeasedRows(db, {
      table: 'phone_numbers',
      due: 'due_at',
      waiting: 'due_at IS NOT NULL',
      seconds: LEASE_SECONDS,
      returning: 'now() AS now',
    });
  }

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.rows.read(limit);
  }

  async process(rowId: string): Promise<JobResult> {
    const id = Number(rowId);
    const [claimed] = await this.rows.claim([id]);
    if (!claimed) return 'done';
    const number = await this.orders.findById(id);
    try {
      return await this.step(number, claimed.now);
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`Number ${id} (${number.state}): ${error.message}; asking again`);
      return 'done';
    }
  }

  private async step(number: PhoneNumber, now: Date): Promise<JobResult> {
    if (number.state === 'buying') await this.purchases.reconcileOrder(number, now);
    if (number.state === 'releasing') await this.releases.finishRelease(number);
    if (number.state === 'failed') {
      await this.releases.releaseAbandonedPurchase(
        number,
        (await this.purchases.findPurchasedNumber(number))?.sid ?? null,
      );
    }
    if (number.state !== 'active') return 'done';
    await this.renewals.renewSubscription(number, now);
    // Withdrawn, or behind by more months.
    return 'again';
  }
}
