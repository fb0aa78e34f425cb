import { Injectable } from '@nestjs/common';
import type { CallView } from '../call.view.js';
import { Carrier, CarrierError } from '../../telephony/carrier.js';
import { DataSource } from 'typeorm';
import { toMicros } from '#src/common/money/micros.js';
import { CallChargesService } from './call-charges.service.js';
import { CallReconciliationRepository } from '../call-reconciliation.repository.js';
import type { Call } from '../entities/call.entity.js';

export interface CarrierRecord {
  /** Null: not known yet. */
  price: string | null;
  recordingUrl: string | null;
}

/** Reads the price and the recording of an ended call from the carrier. */
@Injectable()
export class CarrierRecordsService {
  constructor(private readonly carrier: Carrier) {}

  async fetchRecord({ carrierSid }: CallView): Promise<CarrierRecord> {
    if (!carrierSid) return { price: '0', recordingUrl: null };
    try {
      const [call, recordingUrl] = await Promise.all([
        this.carrier.fetchCall(carrierSid),
        this.carrier.fetchRecordingUrl(carrierSid),
      ]);
      return { price: call?.price ?? null, recordingUrl };
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      return { price: null, recordingUrl: null };
    }
  }
}

const AGAIN_MS = 60_000;
/** The carrier is asked for a price for one day. */
const GIVE_UP_MS = 24 * 3_600_000;

/** Charges the carrier's price of a call when it becomes known only after the call was completed. */
@Injectable()
export class CarrierPriceReconciliationService {
  constructor(
    private readonly db: DataSource,
    private readonly reconciliation: CallReconciliationRepository,
    private readonly charges: CallChargesService,
    private readonly carrier: Carrier,
  ) {}

  async reconcilePrice(call: Call): Promise<void> {
    const known = call.carrierSid ? await this.carrier.fetchCall(call.carrierSid) : null;
    if (known?.price == null) {
      const giveUp = Date.now() - (call.endedAt ?? call.createdAt).getTime() > GIVE_UP_MS;
      return this.reconciliation.priceAgain(call.id, giveUp ? null : AGAIN_MS);
    }
    const carrierMicros = toMicros(known.price);
    await this.db.transaction(async (tx) => {
      const posted = await this.charges.chargeLateCarrierPrice(tx, {
        accountId: call.accountId,
        callId: call.id,
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
