import { Injectable } from '@nestjs/common';
import type { CallView } from '../call.view.js';
import { Carrier, CarrierError } from '../../telephony/carrier.js';
import { DataSource } from 'typeorm';
import { toMicros } from '#src/common/money/micros.js';
import { CallChargesService } from './call-charges.service.js';
import { CallReconciliationRepository } from '../call-reconciliation.repository.js';
import type { Call } from '../entities/call.entity.js';

export interface CarrierRecord {
  /** Null: not told yet. */
  price: string | null;
  recordingUrl: string | null;
}

/** What the carrier knows of a call that is over. */
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
/** After a day without a price the carrier will not tell one any more. */
const GIVE_UP_MS = 24 * 3_600_000;

/** Charges what the carrier took for a call when it tells its price only after the call was completed. */
@Injectable()
export class CarrierPriceReconciliationService {
  constructor(
    private readonly db: DataSource,
    private readonly checks: CallReconciliationRepository,
    private readonly charges: CallChargesService,
    private readonly carrier: Carrier,
  ) {}

  async reconcilePrice(call: Call): Promise<void> {
    const known = call.carrierSid ? await this.carrier.fetchCall(call.carrierSid) : null;
    if (known?.price == null) {
      const giveUp = Date.now() - (call.endedAt ?? call.createdAt).getTime() > GIVE_UP_MS;
      return this.checks.priceAgain(call.id, giveUp ? null : AGAIN_MS);
    }
    const carrierMicros = toMicros(known.price);
    await this.db.transaction(async (tx) => {
      const posted = await this.charges.chargeLateCarrierPrice(tx, {
        accountId: call.accountId,
        callId: call.id,
        carrierCostMicros: carrierMicros,
      });
      // Taken by another process meanwhile, together with the new total.
      if (!posted) return;
      await this.checks.setCarrierPrice(tx, call.id, carrierMicros, call.totalCostMicros + carrierMicros);
    });
  }
}
