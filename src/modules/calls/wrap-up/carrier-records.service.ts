import { Injectable } from '@nestjs/common';
import { toMicros } from '#src/common/money/micros.js';
import { CarrierCalls } from '../../telephony/carrier-calls.js';
import { CarrierError } from '../../telephony/carrier-error.js';
import type { CarrierCallStatus } from '../../telephony/carrier-reports.js';
import type { CallView } from '../call.view.js';

export interface CarrierCallRecord {
  /** Null: not known yet. */
  priceMicros: bigint | null;
  recordingUrl: string | null;
}

const UNANSWERED: ReadonlySet<CarrierCallStatus> = new Set(['busy', 'no-answer', 'failed', 'canceled']);

/** Reads the price and the recording of an ended call from the carrier. */
@Injectable()
export class CarrierRecordsService {
  constructor(private readonly carrier: CarrierCalls) {}

  async fetchRecord(call: CallView): Promise<CarrierCallRecord> {
    if (!call.carrierSid) return { priceMicros: 0n, recordingUrl: null };
    try {
      const [priceMicros, recordingUrl] = await Promise.all([
        this.fetchPriceMicros(call),
        this.carrier.fetchRecordingUrl(call.carrierSid),
      ]);
      return { priceMicros, recordingUrl };
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      return { priceMicros: null, recordingUrl: null };
    }
  }

  /** Price of the call with its transfers. Null: not completely known yet. */
  async fetchPriceMicros({
    carrierSid,
    transfers,
  }: Pick<CallView, 'carrierSid' | 'transfers'>): Promise<bigint | null> {
    if (!carrierSid) return null;
    const [call, others] = await Promise.all([
      this.carrier.fetchCall(carrierSid),
      transfers.length > 0 ? this.carrier.transferCalls(carrierSid) : [],
    ]);
    let sum = 0n;
    // The carrier has no price for an unanswered call.
    for (const one of [call, ...others.filter(({ status }) => !UNANSWERED.has(status))]) {
      if (one?.price == null) return null;
      sum += toMicros(one.price);
    }
    return sum;
  }
}
