import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { CarrierCalls } from '#src/modules/telephony/carrier-calls.js';
import { CarrierError } from '#src/modules/telephony/carrier-error.js';
import { AuditService } from '../../audit/audit.service.js';
import { CallStateService } from './call-state.service.js';
import { CallHasEnded, CallNotFound } from '../calls.errors.js';
import { Call } from '../entities/call.entity.js';
import { WebCallStateService } from './web-call-state.service.js';

/** End reason of a call that the account's user ended. */
export const ENDED_BY_USER_REASON = 'ended_by_user';

/** Ends calls on request of their users. */
@Injectable()
export class CallHangUpService {
  private readonly logger = new Logger(CallHangUpService.name);

  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    private readonly states: CallStateService,
    private readonly webCalls: WebCallStateService,
    private readonly carrier: CarrierCalls,
    private readonly audit: AuditService,
  ) {}

  /**
   * The end is then reported by the carrier or by the process of the line. Repeated requests before it hang up again.
   *
   * @throws CallNotFound, CallHasEnded
   */
  async endCall(userId: number, id: number): Promise<void> {
    const call = await this.calls.findOneBy({ id, accountId: userId, deletedAt: IsNull() });
    if (!call) throw new CallNotFound();
    await this.end(call);
  }

  /**
   * As `endCall`, also of a call whose record was deleted.
   * @throws CallHasEnded
   */
  async end(call: Call): Promise<void> {
    const { id, accountId } = call;
    await this.audit.change(async (tx, record) => {
      if (call.endedAt || !(await this.states.requestHangUp(id, ENDED_BY_USER_REASON, tx)))
        throw new CallHasEnded();
      record({ accountId, action: 'call.end', resourceId: id });
    });
    if (call.type !== 'web') return this.hangUp(call);
    // No process has its line yet.
    if (call.status === 'initiated') await this.webCalls.closeLine(id, null, { lost: false });
  }

  /** After a failure, reconciliation repeats the request. */
  private async hangUp({ id, carrierSid }: Call): Promise<void> {
    if (carrierSid === null) return;
    try {
      await this.carrier.endCall(carrierSid);
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`Call ${id}: the carrier did not hang up; it is asked again`);
    }
  }
}
