import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, In, Repository } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import { JobProcessor, type JobRow, type RowProcessor } from '#src/queue/job-queue.js';
import { describeError } from '#src/common/errors/describe-error.js';
import { CarrierError } from '../telephony/carrier-error.js';
import { type CarrierMessage, CarrierMessages } from '../telephony/carrier-messages.js';
import { SmsMessage } from './entities/sms.entities.js';
import {
  DeliveryReceiptsService,
  earliestListedAt,
  NEVER_CONFIRMED_REASON,
} from './delivery-receipts.service.js';

/** After a failed look-up the message is looked for again when its lease ends. */
const LEASE_SECONDS = 10;
/** More than twice the carrier's response limit: a message that is not listed by then was never accepted. */
const GIVE_UP_AFTER_SECONDS = 30;
const REMOVAL_PAUSE = '1 hour';

/** Searches the carrier's list for a message whose request got no answer. */
@Injectable()
export class SmsReconciliationService {
  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly carrier: CarrierMessages,
    private readonly receipts: DeliveryReceiptsService,
  ) {}

  /** @returns the message as the carrier has it; null when its list has none. @throws CarrierError */
  async findListedMessage(message: SmsMessage): Promise<SmsMessage | null> {
    const listed = await this.carrier.listMessages(message.to, earliestListedAt(message.createdAt));
    const equal = listed.filter(({ from, to, body }) => {
      return from === message.from && to === message.to && body === message.body;
    });
    for (const candidate of await this.findUnassigned(equal)) {
      const claimed = await this.receipts.assignReceipt(message, candidate);
      if (claimed) return claimed;
    }
    return null;
  }

  /** Oldest first: pending messages are reconciled in about that order. */
  private async findUnassigned(listed: CarrierMessage[]): Promise<CarrierMessage[]> {
    const assigned = await this.messages.find({
      select: { smsSid: true },
      where: { smsSid: In(listed.map(({ sid }) => sid)) },
    });
    const sids = new Set(assigned.map(({ smsSid }) => smsSid));
    return listed.filter(({ sid }) => !sids.has(sid)).reverse();
  }
}

/**
 * Settles messages that stayed `pending`: the carrier did not respond, or the process died during the request. Of
 * messages that are settled it empties the body at the carrier.
 */
@JobProcessor('sms-check')
export class SmsReconciliationProcessor implements RowProcessor {
  private readonly logger = new Logger(SmsReconciliationProcessor.name);
  private readonly rows: LeasedRows<Lease & { overdue: boolean }>;

  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly reconciliation: SmsReconciliationService,
    private readonly receipts: DeliveryReceiptsService,
    private readonly carrier: CarrierMessages,
    db: DataSource,
  ) {
    this.rows = new LeasedRows(db, {
      table: 'sms_messages',
      due: 'check_at',
      waiting: 'check_at IS NOT NULL',
      seconds: LEASE_SECONDS,
      returning: `created_at < now() - make_interval(secs => ${GIVE_UP_AFTER_SECONDS}) AS overdue`,
    });
  }

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.rows.read(limit);
  }

  async process(rowId: string): Promise<void> {
    const id = Number(rowId);
    const [claimed] = await this.rows.claim([id]);
    if (!claimed) return;
    const message = await this.messages.findOneByOrFail({ id });
    if (message.status !== 'pending') return this.removeBody(message);
    const found = await this.reconciliation.findListedMessage(message);
    if (!found && claimed.overdue) await this.receipts.refundSms(id, NEVER_CONFIRMED_REASON);
  }

  /** After the retention of the account has removed it here. What the carrier refuses is tried again later. */
  private async removeBody({ id, smsSid }: SmsMessage): Promise<void> {
    let pause: string | null = null;
    try {
      if (smsSid !== null) await this.carrier.removeBody(smsSid);
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn('The body of a message was not removed at the carrier', describeError(error));
      pause = REMOVAL_PAUSE;
    }
    await this.messages.query(
      `UPDATE sms_messages SET check_at = now() + $2::interval WHERE id = $1 AND status <> 'pending'`,
      [id, pause],
    );
  }
}
