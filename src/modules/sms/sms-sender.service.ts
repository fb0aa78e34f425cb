import { isSandboxNumber, isValidNumber } from '#src/common/phone/phone.js';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { JobQueue } from '#src/queue/job-queue.js';
import { Carrier, CarrierError } from '../telephony/carrier.js';
import { SmsMessage } from './entities/sms-message.entity.js';
import { SmsChargesService } from './sms-charges.service.js';
import { DeliveryReceiptsService } from './delivery-receipts.service.js';
import { SmsReconciliationService } from './sms-reconciliation.service.js';
import { SmsNotSent } from './sms.errors.js';

/** Whether a message may go to this E.164 number: it lies in a range that is in use. */
export const isRecipient = (e164: string): boolean => isSandboxNumber(e164) || isValidNumber(e164);

const CHECK_AFTER_MS = 2_000;

/** Hands a booked message to the carrier, outside any transaction, and settles what can be settled at once. */
@Injectable()
export class SmsSenderService {
  private readonly logger = new Logger(SmsSenderService.name);

  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly carrier: Carrier,
    private readonly booking: SmsChargesService,
    private readonly proofs: DeliveryReceiptsService,
    private readonly reconciler: SmsReconciliationService,
    private readonly queue: JobQueue,
  ) {}

  /**
   * @returns the message, `pending` when nobody can tell yet whether the carrier has it.
   * @throws SmsNotSent when it certainly has not; the cost was given back.
   */
  async sendMessage(message: SmsMessage): Promise<SmsMessage> {
    try {
      const { from, to, body, token } = message;
      return await this.proofs.accepted(message, await this.carrier.sendSms({ from, to, body, token }));
    } catch (error) {
      if (error instanceof CarrierError && error.failure === 'rejected') return this.giveUp(message, error);
      // The carrier itself failed, so it is done with the request and its list says what came of it.
      if (error instanceof CarrierError && error.code !== null) return this.lookUp(message, error);
      return this.leavePending(message, error);
    }
  }

  private async lookUp(message: SmsMessage, failure: CarrierError): Promise<SmsMessage> {
    try {
      return (await this.reconciler.find(message)) ?? (await this.giveUp(message, failure));
    } catch (error) {
      if (error instanceof SmsNotSent) throw error;
      return this.leavePending(message, error);
    }
  }

  private async giveUp(message: SmsMessage, { detail, message: text }: CarrierError): Promise<SmsMessage> {
    const reason = detail ?? text;
    if (await this.booking.refundSms(message.id, reason)) throw new SmsNotSent(reason);
    return this.messages.findOneByOrFail({ id: message.id });
  }

  /** Whatever went wrong here, the message may be out: an error would make the client send it again. */
  private async leavePending(message: SmsMessage, error: unknown): Promise<SmsMessage> {
    this.logger.warn(`SMS ${message.id} is unconfirmed (${error instanceof Error ? error.name : 'error'})`);
    try {
      const checkAt = (): string => `now() + make_interval(secs => ${CHECK_AFTER_MS / 1000})`;
      await this.messages.update({ id: message.id, status: 'pending' }, { checkAt });
      this.queue.enqueue('sms-check', message, CHECK_AFTER_MS);
      // The carrier's report may have told meanwhile what its answer did not.
      return await this.messages.findOneByOrFail({ id: message.id });
    } catch {
      // Without the database the check comes when the record's own time is up.
      return message;
    }
  }
}
