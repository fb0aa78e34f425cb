import { Injectable } from '@nestjs/common';
import type { CarrierCallHandler, CarrierMessageHandler, CarrierTransferHandler } from './carrier-reports.js';

/**
 * Registry of handlers: telephony imports neither calls nor messages, so their modules register at start, before the
 * first request is served.
 */
@Injectable()
export class CarrierGatewayService {
  private callHandler: CarrierCallHandler | null = null;
  private transferHandler: CarrierTransferHandler | null = null;
  private messageHandler: CarrierMessageHandler | null = null;

  setCallHandler(handler: CarrierCallHandler): void {
    this.callHandler = handler;
  }

  setTransferHandler(handler: CarrierTransferHandler): void {
    this.transferHandler = handler;
  }

  setMessageHandler(handler: CarrierMessageHandler): void {
    this.messageHandler = handler;
  }

  /** @throws Error when no module registered. */
  get calls(): CarrierCallHandler {
    if (!this.callHandler) throw new Error('No module handles calls');
    return this.callHandler;
  }

  /** @throws Error when no module registered. */
  get transfers(): CarrierTransferHandler {
    if (!this.transferHandler) throw new Error('No module handles transfers');
    return this.transferHandler;
  }

  /** @throws Error when no module registered. */
  get messages(): CarrierMessageHandler {
    if (!this.messageHandler) throw new Error('No module handles messages');
    return this.messageHandler;
  }
}
