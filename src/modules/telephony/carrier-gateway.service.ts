import { Injectable } from '@nestjs/common';
import type { CallHandler, MessageHandler, TransferHandler } from './carrier-reports.js';

/**
 * Registry of handlers: telephony knows neither calls nor messages, so the modules that do register at start, before
 * the first request is served.
 */
@Injectable()
export class CarrierGatewayService {
  private callHandler: CallHandler | null = null;
  private transferHandler: TransferHandler | null = null;
  private messageHandler: MessageHandler | null = null;

  useCalls(handler: CallHandler): void {
    this.callHandler = handler;
  }

  useTransfers(handler: TransferHandler): void {
    this.transferHandler = handler;
  }

  useMessages(handler: MessageHandler): void {
    this.messageHandler = handler;
  }

  /** @throws Error when no module registered. */
  get calls(): CallHandler {
    if (!this.callHandler) throw new Error('No module handles calls');
    return this.callHandler;
  }

  /** @throws Error when no module registered. */
  get transfers(): TransferHandler {
    if (!this.transferHandler) throw new Error('No module handles transfers');
    return this.transferHandler;
  }

  /** @throws Error when no module registered. */
  get messages(): MessageHandler {
    if (!this.messageHandler) throw new Error('No module handles messages');
    return this.messageHandler;
  }
}
