import { isSandboxNumber, isValidNumber } from '#src/common/phone/phone.js';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { JobQueue } from '#src/queue/job-queue.js';
import { CarrierError } from '../telephony/carrier-error.js';
import { CarrierMessages } from '../telephony/carrier-messages.js';
import { SmsMessage } from './entities/sms.entities.js';
import { DeliveryReceiptsService } from './delivery-receipts.service.js';
import { SmsReconciliationService } from './sms-reconciliation.service.js';
import { SmsNotSent } from './sms.errors.js';

/** Whether a message may go to this E.164 number: it lies in a range that is in use. */
export const isValidRecipient = (e164: string): boolean => isSandboxNumber(e164) || isValidNumber(e164);

const CHECK_AFTER_MS = 2_000;

/** Sends a charged message to the carrier, outside any transaction, and settles it when the outcome is known. */
@Injectable()
export class SmsSenderService {
  private readonly logger = new Logger(SmsSenderService.name);

  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly carrier: CarrierMessages,
    private readonly receipts: DeliveryReceiptsService,
    private readonly reconciliation: SmsReconciliationService,
    private readonly queue: JobQueue,
  ) {}

  /**
   * @returns the message; `pending` when it is not known whether the carrier has it.
   * @throws SmsNotSent when the carrier does not have it; the cost was refunded.
   */
  async sendMessage(message: SmsMessage): Promise<SmsMessage> {
    try {
      const { from, to, body, token } = message;
      return await this.receipts.applyResponse(
        message,
        await this.carrier.sendSms({ from, to, body, token }),
      );
    } catch (error) {
      if (error instanceof CarrierError && error.failure === 'rejected')
        return this.refundOrReload(message, error);
      // After a 5xx the carrier has finished the request, so its list shows the outcome.
      if (error instanceof CarrierError && error.code !== null) return this.searchList(message, error);
      return this.leavePending(message, error);
    }
  }

  private async searchList(message: SmsMessage, failure: CarrierError): Promise<SmsMessage> {
    try {
      return (
        (await this.reconciliation.findListedMessage(message)) ??
        (await this.refundOrReload(message, failure))
      );
    } catch (error) {
      if (error instanceof SmsNotSent) throw error;
      return this.leavePending(message, error);
    }
  }

  private async refundOrReload(
    message: SmsMessage,
    { detail, message: text }: CarrierError,
  ): Promise<SmsMessage> {
    const reason = detail ?? text;
    if (await this.receipts.refundSms(message.id, reason)) throw new SmsNotSent(reason);
    return this.messages.findOneByOrFail({ id: message.id });
  }

  /** The message may have been sent: an error response would make the client send it again. */
  private async leavePending(message: SmsMessage, error: unknown): Promise<SmsMessage> {
    this.logger.warn(`SMS ${message.id} is unconfirmed (${error instanceof Error ? error.name : 'error'})`);
    try {
      const checkAt = (): string => `now() + make_interval(secs => ${CHECK_AFTER_MS / 1000})`;
      await this.messages.update({ id: message.id, status: 'pending' }, { checkAt });
      this.queue.enqueue('sms-check', message, CHECK_AFTER_MS);
      // A delivery report may have settled the message meanwhile.
      return await this.messages.findOneByOrFail({ id: message.id });
    } catch {
      // Without the database the reconciliation runs when the row becomes due.
      return message;
    }
  }
}
