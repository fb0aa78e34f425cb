import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CarrierGateway } from '../telephony/carrier-gateway.js';
import type { MessageHandler, MessageReport } from '../telephony/carrier-reports.js';
import { SmsProofs } from './sms-proofs.service.js';

/** The carrier's delivery reports. One about a message that we do not know is none of our business. */
@Injectable()
export class SmsReports implements MessageHandler, OnModuleInit {
  constructor(
    private readonly gateway: CarrierGateway,
    private readonly proofs: SmsProofs,
  ) {}

  onModuleInit(): void {
    this.gateway.useMessages(this);
  }

  async report({ token, sid, status, errorCode }: MessageReport): Promise<void> {
    const error =
      status === 'failed'
        ? `The provider could not deliver it (${errorCode ?? 'no reason given'})`
        : undefined;
    await this.proofs.prove({ token }, { sid, status, error });
  }
}
