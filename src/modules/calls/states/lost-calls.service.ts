import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { type CarrierCall, CarrierCalls } from '#src/modules/telephony/carrier-calls.js';
import { CarrierGatewayService } from '#src/modules/telephony/carrier-gateway.service.js';
import { Call } from '../entities/call.entity.js';
import { CallReconciliationProcessor } from './call-reconciliation.processor.js';
import { CallReconciliationRepository } from './call-reconciliation.repository.js';

/** The database shows this much less than the moment that is known of it, and the carrier's clock may differ. */
const MARGIN_MS = 120_000;
const SIDS_AT_ONCE = 500;
/** Not evaluated, so that the goal of the campaign does not count as missed and the lead is not called again for it. */
const NOT_EVALUATED = 'The conversation was lost with the restore of a backup.';

/** After a restore: compares the calls of the database with those of the carrier. */
@Injectable()
export class LostCallsService {
  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    private readonly reconciliation: CallReconciliationRepository,
    private readonly processor: CallReconciliationProcessor,
    private readonly carrier: CarrierCalls,
    private readonly gateway: CarrierGatewayService,
  ) {}

  /**
   * Asks the carrier for every call that was running, whenever its next check is due.
   *
   * @returns how many were asked for
   * @throws CarrierError
   */
  async settleRunning(): Promise<number> {
    const running = await this.calls.find({ where: { endedAt: IsNull() }, order: { id: 'ASC' } });
    for (const call of running) await this.processor.checkCall(call);
    return running.length;
  }

  /** Calls that the carrier has placed since and that have no record, oldest first. @throws CarrierError */
  async findLost(since: Date): Promise<CarrierCall[]> {
    const placed = await this.carrier.listPlacedCalls(new Date(since.getTime() - MARGIN_MS));
    const lost: CarrierCall[] = [];
    for (let from = 0; from < placed.length; from += SIDS_AT_ONCE) {
      const some = placed.slice(from, from + SIDS_AT_ONCE);
      const known = await this.reconciliation.findKnownSids(some.map(({ sid }) => sid));
      lost.push(...some.filter(({ sid }) => !known.has(sid)));
    }
    return lost;
  }

  async markNotEvaluated(tx: EntityManager, id: number): Promise<void> {
    await tx.update(Call, id, { evaluatedAt: () => 'now()', evaluationError: NOT_EVALUATED });
  }

  /** Of a call whose record was made again. The carrier is asked later for one that is running. */
  async applyState(token: string, { sid, status, answeredBy, durationSeconds }: CarrierCall): Promise<void> {
    await this.gateway.calls.applyReport({
      token,
      sid,
      status,
      answeredBy,
      durationSeconds: durationSeconds ?? undefined,
    });
  }
}
