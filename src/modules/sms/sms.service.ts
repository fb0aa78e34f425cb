import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { addDayConditions } from '#src/http/pagination/day-filter.js';
import { pageOffset, Page } from '#src/http/pagination/page.js';
import { countryOf } from '#src/common/phone/phone.js';
import { toAmount } from '#src/common/money/micros.js';
import { currentKeyId } from '#src/common/work-context.js';
import { isAllowedDestination } from '#src/common/phone/destinations.js';
import { AccountsService, type NumberCondition } from '../accounts/accounts.service.js';
import { type ListSmsDto, type SendSmsDto } from './dto/sms.dto.js';
import { type SmsPriceResponse, toSmsResponse, type SmsResponse } from './dto/sms.response.js';
import { SmsMessage, wasRefunded } from './entities/sms.entities.js';
import { isValidRecipient, SmsSenderService } from './sms-sender.service.js';
import { countSegments } from './segments/segment-counter.js';
import { type SmsOrder, SmsOrdersRepository } from './sms-orders.repository.js';
import { type SmsTerms, SmsTermsService } from './sms-terms.service.js';
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

const SMS_SENT = 'SMS sent successfully';
const SMS_UNCONFIRMED = 'SMS accepted, the provider has not confirmed it yet';

@Injectable()
export class SmsService {
  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly accounts: AccountsService,
    private readonly terms: SmsTermsService,
    private readonly orders: SmsOrdersRepository,
    private readonly sender: SmsSenderService,
  ) {}

  async listSms(userId: number, query: ListSmsDto): Promise<Page<SmsResponse>> {
    const { phone_number } = query;
    const to =
      phone_number === undefined ? undefined : await this.accounts.toNumberCondition(userId, phone_number);
    // Not a number at all: nothing was sent to it.
    if (to === null) return new Page<SmsResponse>([], 0, query);
    return (await this.findPage(userId, query, to)).map(toSmsResponse);
  }

  async getSms(userId: number, id: number): Promise<SmsResponse> {
    const message = await this.messages.findOneBy({ id, accountId: userId });
    if (!message) throw new SmsNotFound();
    return toSmsResponse(message);
  }

  async getPrice(userId: number, recipient: string): Promise<SmsPriceResponse> {
    const to = await this.accounts.formatNumber(userId, recipient);
    return {
      country: to === null ? null : countryOf(to),
      segment_price: toAmount(await this.terms.findSegmentPrice(to)),
    };
  }

  /** When a keyed request is repeated after its process died, it finds the message that was ordered: no second one. */
  async sendSms(userId: number, dto: SendSmsDto, requestId: string | null) {
    const existing = requestId === null ? null : await this.orders.findByRequest(requestId);
    const message = existing ?? (await this.orderAndSend(userId, dto, requestId));
    if (wasRefunded(message)) throw new SmsNotSent(message.error ?? '');
    return {
      message: message.status === 'pending' ? SMS_UNCONFIRMED : SMS_SENT,
      data: toSmsResponse(message),
    };
  }

  private async orderAndSend(userId: number, dto: SendSmsDto, requestId: string | null): Promise<SmsMessage> {
    const checkOrder = await this.checkOrder(userId, dto);
    const { message, isNew } = await this.orders.placeOrder({ ...checkOrder, requestId });
    return isNew ? this.sender.sendMessage(message) : message;
  }

  /** The rules of sending in the order of the interface: the first that is violated answers. `placeOrder` has the last. */
  private async checkOrder(userId: number, dto: SendSmsDto): Promise<Omit<SmsOrder, 'requestId'>> {
    const to = await this.accounts.formatNumber(userId, dto.to);
    const terms = await this.terms.findTerms({ accountId: userId, phoneNumberId: dto.from, to });
    const from = senderNumberOf(terms);
    const { segments } = countSegments(dto.body);
    const { allowedCountries, availableMicros, segmentPriceMicros } = terms;
    if (to !== null && !isAllowedDestination(to, allowedCountries)) throw new DestinationRefused();
    if (to === null || !isValidRecipient(to)) {
      if (availableMicros < segmentPriceMicros * BigInt(segments)) throw new BalanceTooLow();
      throw new RecipientInvalid();
    }
    return {
      accountId: userId,
      apiKeyId: currentKeyId(),
      phoneNumberId: dto.from,
      from,
      to,
      body: dto.body,
      segments,
      segmentPriceMicros,
    };
  }

  /** Newest first. */
  private async findPage(
    userId: number,
    query: ListSmsDto,
    to: NumberCondition | undefined,
  ): Promise<Page<SmsMessage>> {
    const { status } = query;
    const builder = this.messages.createQueryBuilder('sms').where('sms.accountId = :userId', { userId });
    if (status) builder.andWhere('sms.status = :status', { status });
    if (to) builder.andWhere(`sms.to ${to.operator} :to`, { to: to.value });
    addDayConditions(builder, 'sms.createdAt', query);
    const [messages, total] = await builder
      .orderBy('sms.createdAt', 'DESC')
      .addOrderBy('sms.id', 'DESC')
      .offset(pageOffset(query))
      .limit(query.per_page)
      .getManyAndCount();
    return new Page(messages, total, query);
  }
}

function senderNumberOf({ sender }: SmsTerms): string {
  if (!sender) throw new FromNumberNotFound();
  if (!sender.isSmsCapable) throw new NotSmsCapable();
  if (!sender.isActive) throw new SubscriptionNotActive();
  return sender.phoneNumber;
}
