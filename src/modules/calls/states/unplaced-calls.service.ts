import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CarrierBreakerService } from '#src/modules/telephony/carrier-breaker.service.js';
import { type CarrierCall, CarrierCalls } from '#src/modules/telephony/carrier-calls.js';
import { CallReconciliationRepository } from './call-reconciliation.repository.js';
import type { Call } from '../entities/call.entity.js';

/** Clocks of carrier and service may differ by this much. */
const CLOCK_SKEW_MS = 30_000;

/** Calls without a carrier id, because the carrier did not respond to their request. */
@Injectable()
export class UnplacedCallsService {
  /** Time after which a call that is not in the carrier's list was not placed: the ring timeout. */
  readonly maxPlacingMs: number;

  constructor(
    private readonly reconciliation: CallReconciliationRepository,
    private readonly carrier: CarrierCalls,
    private readonly breaker: CarrierBreakerService,
    settings: RuntimeSettings,
  ) {
    this.maxPlacingMs = settings.calls.ringTimeoutSeconds * 1000;
  }

  /** Searches the carrier's list. @throws CarrierError */
  async findAtCarrier(call: Call): Promise<CarrierCall | null> {
    const since = new Date(call.createdAt.getTime() - CLOCK_SKEW_MS);
    const listed = await this.carrier
      .listCalls(call.clientPhoneNumber, since)
      .catch(async (error: unknown) => {
        await this.breaker.recordUnreachable(call.createdAt);
        throw error;
      });
    const candidates = listed.filter(({ from }) => from === call.assistantPhoneNumber);
    const taken = await this.reconciliation.findKnownSids(candidates.map(({ sid }) => sid));
    const free = candidates.filter(({ sid }) => !taken.has(sid)).sort((a, b) => +a.createdAt - +b.createdAt);
    return free[0] && (await this.reconciliation.isOldestUnplaced(call)) ? free[0] : null;
  }
}
