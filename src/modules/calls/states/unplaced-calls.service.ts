import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CarrierBreakerService } from '#src/modules/telephony/carrier-breaker.service.js';
import { type CarrierCall, CarrierCalls } from '#src/modules/telephony/carrier-calls.js';
import { CallReconciliationRepository } from './call-reconciliation.repository.js';
import type { Call } from '../entities/call.entity.js';

/** Clocks of carrier and service may differ by this much. */
const CLOCK_SKEW_MS = 30_000;

/** Calls whose request the carrier did not answer: they have no carrier id. */
@Injectable()
export class UnplacedCallsService {
  /** A call that is not in the carrier's list after the ring time-out was not placed. */
  readonly placingMs: number;

  constructor(
    private readonly reconciliation: CallReconciliationRepository,
    private readonly carrier: CarrierCalls,
    private readonly breaker: CarrierBreakerService,
    settings: RuntimeSettings,
  ) {
    this.placingMs = settings.calls.ringTimeoutSeconds * 1000;
  }

  /** Searches the carrier's list. @throws CarrierError */
  async find(call: Call): Promise<CarrierCall | null> {
    const since = new Date(call.createdAt.getTime() - CLOCK_SKEW_MS);
    const listed = await this.carrier
      .listCalls(call.clientPhoneNumber, since)
      .catch(async (error: unknown) => {
        await this.breaker.recordUnreachable(call.createdAt);
        throw error;
      });
    const candidates = listed.filter(({ from }) => from === call.assistantPhoneNumber);
    const taken = await this.reconciliation.knownSids(candidates.map(({ sid }) => sid));
    const free = candidates.filter(({ sid }) => !taken.has(sid)).sort((a, b) => +a.createdAt - +b.createdAt);
    return free[0] && (await this.reconciliation.isOldestUnplaced(call)) ? free[0] : null;
  }
}
