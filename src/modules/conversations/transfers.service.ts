import { Injectable, type OnModuleInit } from '@nestjs/common';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { TRANSFERRED_REASON } from '#src/modules/calls/states/call-transfers.js';
import { CallTransfersService } from '#src/modules/calls/states/call-transfers.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { CarrierGatewayService } from '../telephony/carrier-gateway.service.js';
import type {
  CallInstructions,
  SessionResumption,
  CarrierTransferHandler,
  TransferOutcome,
} from '../telephony/carrier-reports.js';
import { CallInstructionsService, HANG_UP_INSTRUCTIONS } from './call-instructions.service.js';
import { Clock } from './engine/clock.js';
import { secondsLeft } from './transfer-instructions.js';

/** The carrier ends a transfer at the call's limit, in whole seconds. */
const LIMIT_TOLERANCE_SECONDS = 2;

/** Handles the carrier's reports of transfers, in any process. */
@Injectable()
export class TransfersService implements CarrierTransferHandler, OnModuleInit {
  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly transfers: CallTransfersService,
    private readonly plans: CallInstructionsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.gateway.setTransferHandler(this);
  }

  async applyTransferReport(token: string, seq: number, outcome: TransferOutcome): Promise<void> {
    const call = await this.calls.findByToken(token);
    addToLogContext({ callId: call?.id });
    if (call) await this.transfers.concludeTransfer(call.id, seq, outcome);
  }

  /** After an answered transfer the call ends; else the assistant resumes. */
  async planAfterTransfer(
    token: string,
    seq: number,
    outcome: TransferOutcome | null,
    resumption: SessionResumption | null,
  ): Promise<CallInstructions> {
    const known = await this.calls.findByToken(token);
    addToLogContext({ callId: known?.id });
    if (!known) return HANG_UP_INSTRUCTIONS;
    const transfer = await this.transfers.concludeTransfer(known.id, seq, outcome ?? 'failed');
    const call = await this.calls.findByToken(token);
    if (!call || call.endedAt || call.endedBy || !resumption) return HANG_UP_INSTRUCTIONS;
    if (transfer?.status !== 'answered') return this.plans.planCall(call, resumption);
    const timeUp = secondsLeft(call, this.clock.now()) < LIMIT_TOLERANCE_SECONDS;
    if (timeUp) await this.callState.markEnded(call.id, 'system', 'max_duration');
    else await this.callState.markEnded(call.id, 'assistant', TRANSFERRED_REASON);
    return HANG_UP_INSTRUCTIONS;
  }
}
