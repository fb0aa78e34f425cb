import { Injectable, type OnModuleInit } from '@nestjs/common';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { TRANSFERRED } from '#src/modules/calls/states/call-transfers.js';
import { CallTransfersService } from '#src/modules/calls/states/call-transfers.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { CarrierGatewayService } from '../telephony/carrier-gateway.service.js';
import type {
  AnswerPlan,
  Resumption,
  CarrierTransferHandler,
  TransferOutcome,
} from '../telephony/carrier-reports.js';
import { AnswerPlansService, OVER } from './answer-plans.service.js';
import { Clock } from './engine/clock.js';
import { secondsLeft } from './transfer-plan.js';

/** The carrier ends a transfer at the call's limit, in whole seconds. */
const LIMIT_TOLERANCE_SECONDS = 2;

/** Handles the carrier's reports of people whom calls are handed over to, in whichever process gets them. */
@Injectable()
export class TransfersService implements CarrierTransferHandler, OnModuleInit {
  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly transfers: CallTransfersService,
    private readonly plans: AnswerPlansService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.gateway.setTransferHandler(this);
  }

  async transferReported(token: string, seq: number, outcome: TransferOutcome): Promise<void> {
    const call = await this.calls.findByToken(token);
    addToLogContext({ callId: call?.id });
    if (call) await this.transfers.conclude(call.id, seq, outcome);
  }

  /** A person who had the call ends it; else the assistant comes back. */
  async transferOver(
    token: string,
    seq: number,
    outcome: TransferOutcome | null,
    resumption: Resumption | null,
  ): Promise<AnswerPlan> {
    const known = await this.calls.findByToken(token);
    addToLogContext({ callId: known?.id });
    if (!known) return OVER;
    const transfer = await this.transfers.conclude(known.id, seq, outcome ?? 'failed');
    const call = await this.calls.findByToken(token);
    if (!call || call.endedAt || call.endedBy || !resumption) return OVER;
    if (transfer?.status !== 'answered') return this.plans.answerPlan(call, resumption);
    const timeUp = secondsLeft(call, this.clock.now()) < LIMIT_TOLERANCE_SECONDS;
    if (timeUp) await this.callState.markEnded(call.id, 'system', 'max_duration');
    else await this.callState.markEnded(call.id, 'assistant', TRANSFERRED);
    return OVER;
  }
}
