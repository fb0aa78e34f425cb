import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { JobQueue } from '#src/queue/job-queue.js';
import { Carrier } from '../telephony/carrier.js';
import { CarrierError } from '../telephony/carrier.error.js';
import { SmsMessage } from './entities/sms-message.entity.js';
import { SmsBooking } from './sms-booking.service.js';
import { SmsProofs } from './sms-proofs.service.js';
import { SmsReconciler } from './sms-reconciler.service.js';
import { SmsNotSent } from './sms.errors.js';

const CHECK_AFTER_MS = 2_000;

/** Hands a booked message to the carrier, outside any transaction, and settles what can be settled at once. */
@Injectable()
export class SmsSender {
  private readonly logger = new Logger(SmsSender.name);

  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly carrier: Carrier,
    private readonly booking: SmsBooking,
    private readonly proofs: SmsProofs,
    private readonly reconciler: SmsReconciler,
    private readonly queue: JobQueue,
  ) {}

  /**
   * @returns the message, `pending` when nobody can tell yet whether the carrier has it.
   * @throws SmsNotSent when it certainly has not; the cost was given back.
   */
  async send(message: SmsMessage): Promise<SmsMessage> {
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
    if (await this.booking.refund(message.id, reason)) throw new SmsNotSent(reason);
    return this.messages.findOneByOrFail({ id: message.id });
  }

  /** Whatever went wrong here, the message may be out: an error would make the client send it again. */
  private async leavePending(message: SmsMessage, error: unknown): Promise<SmsMessage> {
    this.logger.warn(`SMS ${message.id} is unconfirmed (${error instanceof Error ? error.name : 'error'})`);
    try {
      const checkAt = (): string => `now() + make_interval(secs => ${CHECK_AFTER_MS / 1000})`;
      await this.messages.update({ id: message.id, status: 'pending' }, { checkAt });
      this.queue.wake('sms-check', message, CHECK_AFTER_MS);
      // The carrier's report may have told meanwhile what its answer did not.
      return await this.messages.findOneByOrFail({ id: message.id });
    } catch {
      // Without the database the check comes when the record's own time is up.
      return message;
    }
  }
}
