import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Call } from '../entities/call.entity.js';
import { CallReconciliationRepository } from '../states/call-reconciliation.repository.js';
import { CallChargesService } from './call-charges.service.js';
import { CarrierRecordsService } from './carrier-records.service.js';

const RETRY_MS = 60_000;
/** Time after which a price is no longer requested. */
const GIVE_UP_MS = 24 * 3_600_000;

/** Charges a carrier price that becomes known after the completion of the call. */
@Injectable()
export class CarrierPriceReconciliationService {
  constructor(
    private readonly db: DataSource,
    private readonly reconciliation: CallReconciliationRepository,
    private readonly charges: CallChargesService,
    private readonly records: CarrierRecordsService,
  ) {}

  async reconcilePrice(call: Call): Promise<void> {
    const carrierMicros = await this.records.fetchPriceMicros(call);
    if (carrierMicros === null) {
      const giveUp = Date.now() - (call.endedAt ?? call.createdAt).getTime() > GIVE_UP_MS;
      return this.reconciliation.schedulePriceCheck(call.id, giveUp ? null : RETRY_MS);
    }
    await this.db.transaction(async (tx) => {
      const posted = await this.charges.chargeLateCarrierPrice(tx, {
        accountId: call.accountId,
        callId: call.id,
        apiKeyId: call.apiKeyId,
        carrierCostMicros: carrierMicros,
      });
      // Another process has charged it and written the new total.
      if (!posted) return;
      await this.reconciliation.setCarrierPrice(
        tx,
        call.id,
        carrierMicros,
        call.totalCostMicros + carrierMicros,
      );
    });
  }
}
