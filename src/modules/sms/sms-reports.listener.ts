import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CarrierGatewayService } from '../telephony/carrier-gateway.service.js';
import type { CarrierMessageHandler, MessageReport } from '../telephony/carrier-reports.js';
import { DeliveryReceiptsService } from './delivery-receipts.service.js';

/** Receives the carrier's delivery reports; those about unknown messages are ignored. */
@Injectable()
export class SmsReportsListener implements CarrierMessageHandler, OnModuleInit {
  constructor(
    private readonly gateway: CarrierGatewayService,
    private readonly receipts: DeliveryReceiptsService,
  ) {}

  onModuleInit(): void {
    this.gateway.setMessageHandler(this);
  }

  applyReport({ token, sid, status, errorCode }: MessageReport): Promise<void> {
    const error =
      status === 'failed'
        ? `The provider could not deliver it (${errorCode ?? 'no reason given'})`
        : undefined;
    return this.receipts.applyReport(token, { sid, status, error });
  }
}
