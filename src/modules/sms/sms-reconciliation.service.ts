import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Carrier, type CarrierMessage } from '../telephony/carrier.js';
import { SmsMessage } from './entities/sms-message.entity.js';
import { DeliveryReceiptsService } from './delivery-receipts.service.js';

/** How far the carrier's clock may be behind ours. */
const CLOCK_SKEW_MS = 60_000;

/** Searches the carrier's list for a message whose request got no answer. */
@Injectable()
export class SmsReconciliationService {
  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly carrier: Carrier,
    private readonly receipts: DeliveryReceiptsService,
  ) {}

  /** @returns the message as the carrier has it; null when its list has none. @throws CarrierError */
  async find(message: SmsMessage): Promise<SmsMessage | null> {
    const since = new Date(message.createdAt.getTime() - CLOCK_SKEW_MS);
    const listed = await this.carrier.listMessages(message.to, since);
    const equal = listed.filter(({ from, to, body }) => {
      return from === message.from && to === message.to && body === message.body;
    });
    for (const candidate of await this.withoutOwner(equal)) {
      const claimed = await this.receipts.claimReceipt(message, candidate);
      if (claimed) return claimed;
    }
    return null;
  }

  /** Oldest first: pending messages are reconciled in about that order. */
  private async withoutOwner(listed: CarrierMessage[]): Promise<CarrierMessage[]> {
    const owned = await this.messages.find({
      select: { smsSid: true },
      where: { smsSid: In(listed.map(({ sid }) => sid)) },
    });
    const sids = new Set(owned.map(({ smsSid }) => smsSid));
    return listed.filter(({ sid }) => !sids.has(sid)).reverse();
  }
}
