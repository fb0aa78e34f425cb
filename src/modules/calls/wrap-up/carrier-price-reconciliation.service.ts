import { Injectable } from '@nestjs/common';
import type { CallView } from '../call.view.js';
import { CarrierCalls } from '../../telephony/carrier-calls.js';
import { CarrierError } from '../../telephony/carrier-error.js';
import type { CarrierCallStatus } from '../../telephony/carrier-reports.js';
import { DataSource } from 'typeorm';
import { toMicros } from '#src/common/money/micros.js';
import { CallChargesService } from './call-charges.service.js';
import { CallReconciliationRepository } from '../states/call-reconciliation.repository.js';
import type { Call } from '../entities/call.entity.js';

export interface CarrierRecord {
  /** Null: not known yet. */
  priceMicros: bigint | null;
  recordingUrl: string | null;
}

const UNANSWERED: ReadonlySet<CarrierCallStatus> = new Set(['busy', 'no-answer', 'failed', 'canceled']);

/** Reads the price and the recording of an ended call from the carrier. */
@Injectable()
export class CarrierRecordsService {
  constructor(private readonly carrier: CarrierCalls) {}

  async fetchRecord(call: CallView): Promise<CarrierRecord> {
    if (!call.carrierSid) return { priceMicros: 0n, recordingUrl: null };
    try {
      const [priceMicros, recordingUrl] = await Promise.all([
        this.priceMicros(call),
        this.carrier.fetchRecordingUrl(call.carrierSid),
      ]);
      return { priceMicros, recordingUrl };
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      return { priceMicros: null, recordingUrl: null };
    }
  }

  /** Of the call and of the calls to the people whom it was handed over to. Null: not all of it is known yet. */
  async priceMicros({
    carrierSid,
    transfers,
  }: Pick<CallView, 'carrierSid' | 'transfers'>): Promise<bigint | null> {
    if (!carrierSid) return null;
    const [call, others] = await Promise.all([
      this.carrier.fetchCall(carrierSid),
      transfers.length > 0 ? this.carrier.transferCalls(carrierSid) : [],
    ]);
    let sum = 0n;
    // The carrier never names a price for a call that nobody answered.
    for (const one of [call, ...others.filter(({ status }) => !UNANSWERED.has(status))]) {
      if (one?.price == null) return null;
      sum += toMicros(one.price);
    }
    return sum;
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
    private readonly records: CarrierRecordsService,
  ) {}

  async reconcilePrice(call: Call): Promise<void> {
    const carrierMicros = await this.records.priceMicros(call);
    if (carrierMicros === null) {
      const giveUp = Date.now() - (call.endedAt ?? call.createdAt).getTime() > GIVE_UP_MS;
      return this.reconciliation.priceAgain(call.id, giveUp ? null : AGAIN_MS);
    }
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
