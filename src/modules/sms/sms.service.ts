import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { offsetOf, Page } from '#src/common/pagination/page.js';
import { isAllowedDestination } from '#src/common/phone/destinations.js';
import { AccountsService, type NumberMatch } from '../accounts/accounts.service.js';
import type { PhoneNumberView } from '../phone-numbers/dto/phone-number.response.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { type ListSmsDto, type SendSmsDto, toSmsResponse, type SmsResponse } from './dto/sms.dto.js';
import { SmsMessage, wasRefunded } from './entities/sms.entities.js';
import { isRecipient, SmsSenderService } from './sms-sender.service.js';
import { countSegments } from './segments/segment-counter.js';
import { SmsChargesService } from './sms-charges.service.js';
import { SmsPricesService } from './sms-prices.service.js';
import {
  BalanceTooLow,
  DestinationRefused,
  FromNumberNotFound,
  NotSmsCapable,
  RecipientInvalid,
  SmsNotFound,
  SmsNotSent,
  SubscriptionNotActive,
} from './sms.errors.js';

export const SMS_SENT = 'SMS sent successfully';
export const SMS_UNCONFIRMED = 'SMS accepted, the provider has not confirmed it yet';

@Injectable()
export class SmsService {
  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly accounts: AccountsService,
    private readonly numbers: PhoneNumbersService,
    private readonly prices: SmsPricesService,
    private readonly charges: SmsChargesService,
    private readonly sender: SmsSenderService,
  ) {}

  async listSms(userId: number, query: ListSmsDto): Promise<Page<SmsResponse>> {
    const { phone_number } = query;
    const to = phone_number === undefined ? undefined : await this.accounts.numberMatch(userId, phone_number);
    // Not a number at all: nothing was sent to it.
    if (to === null) return new Page<SmsResponse>([], 0, query);
    return (await this.findPage(userId, query, to)).map(toSmsResponse);
  }

  async getSms(userId: number, id: number): Promise<SmsResponse> {
    const message = await this.messages.findOneBy({ id, accountId: userId });
    if (!message) throw new SmsNotFound();
    return toSmsResponse(message);
  }

  /** A request whose process died before the answer is not sent again. */
  async sendSms(userId: number, dto: SendSmsDto, requestId: string | null) {
    const begun = requestId === null ? null : await this.charges.ofRequest(requestId);
    const message = begun ?? (await this.sender.sendMessage(await this.book(userId, dto, requestId)));
    if (wasRefunded(message)) throw new SmsNotSent(message.error ?? '');
    return {
      message: message.status === 'pending' ? SMS_UNCONFIRMED : SMS_SENT,
      data: toSmsResponse(message),
    };
  }

  /** The rules of sending in the order of the interface: the first that is violated answers. */
  private async book(userId: number, dto: SendSmsDto, requestId: string | null): Promise<SmsMessage> {
    const from = await this.senderNumber(userId, dto.from);
    const to = await this.accounts.formatNumber(userId, dto.to);
    const { segments } = countSegments(dto.body);
    const [{ allowedCountries, availableMicros }, segmentPriceMicros] = await Promise.all([
      this.accounts.view(userId),
      this.prices.priceTo(to),
    ]);
    if (to !== null && !isAllowedDestination(to, allowedCountries)) throw new DestinationRefused();
    if (to === null || !isRecipient(to)) {
      if (availableMicros < segmentPriceMicros * BigInt(segments)) throw new BalanceTooLow();
      throw new RecipientInvalid();
    }
    return this.charges.chargeSms({
      accountId: userId,
      phoneNumberId: from.id,
      from: from.phoneNumber,
      to,
      body: dto.body,
      segments,
      segmentPriceMicros,
      requestId,
    });
  }

  private async senderNumber(userId: number, id: number): Promise<PhoneNumberView> {
    const number = await this.numbers.findPhoneNumber(userId, id);
    if (!number) throw new FromNumberNotFound();
    if (!number.smsCapable) throw new NotSmsCapable();
    if (!number.subscriptionActive) throw new SubscriptionNotActive();
    return number;
  }

  /** Newest first. */
  private async findPage(
    userId: number,
    query: ListSmsDto,
    to: NumberMatch | undefined,
  ): Promise<Page<SmsMessage>> {
    const { status, date_from, date_to } = query;
    const builder = this.messages.createQueryBuilder('sms').where('sms.accountId = :userId', { userId });
    if (status) builder.andWhere('sms.status = :status', { status });
    if (to) builder.andWhere(`sms.to ${to.operator} :to`, { to: to.value });
    if (date_from) builder.andWhere('sms.createdAt >= :date_from::date', { date_from });
    if (date_to) builder.andWhere('sms.createdAt < :date_to::date + 1', { date_to });
    const [messages, total] = await builder
      .orderBy('sms.createdAt', 'DESC')
      .addOrderBy('sms.id', 'DESC')
      .offset(offsetOf(query))
      .limit(query.per_page)
      .getManyAndCount();
    return new Page(messages, total, query);
  }
}
