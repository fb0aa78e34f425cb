import { Injectable } from '@nestjs/common';
import type { CallView } from '../call.view.js';
import { Carrier, CarrierError } from '../../telephony/carrier.js';

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
