import { Injectable, Logger } from '@nestjs/common';
import { CallProgress } from '../calls/call-progress.service.js';
import { Carrier, type PlaceCall } from '../telephony/carrier.js';
import { CarrierError } from '../telephony/carrier.error.js';
import { CallAttempts } from './call-attempts.service.js';

/** The carrier's codes for numbers that cannot be dialled. */
const INVALID_NUMBER_CODES = new Set([21211, 21214, 21217, 13223, 13224]);
export const INVALID_NUMBER = 'invalid_number';

/** Asks the carrier for a call whose record is committed. */
@Injectable()
export class CallPlacer {
  private readonly logger = new Logger(CallPlacer.name);

  constructor(
    private readonly carrier: Carrier,
    private readonly progress: CallProgress,
    private readonly attempts: CallAttempts,
  ) {}

  /**
   * Never throws. Refused: the call ends as `failed`. No answer: it may ring all the same, so nothing is
   * repeated; its callbacks or the watchdog tell.
   */
  async place(callId: number, request: PlaceCall): Promise<void> {
    try {
      const { sid } = await this.carrier.placeCall(request);
      await this.progress.placed(callId, sid);
      await this.attempts.markPlaced(callId);
    } catch (error) {
      await this.failed(callId, error).catch(() =>
        this.logger.warn(`Call ${callId} is left to the watchdog`),
      );
    }
  }

  private async failed(callId: number, error: unknown): Promise<void> {
    if (error instanceof CarrierError && error.failure === 'rejected') {
      const reason = INVALID_NUMBER_CODES.has(error.code ?? 0) ? INVALID_NUMBER : 'carrier_rejected';
      return this.progress.fail(callId, reason);
    }
    this.logger.warn(`It is not known whether call ${callId} was placed; the watchdog will ask`);
  }
}
