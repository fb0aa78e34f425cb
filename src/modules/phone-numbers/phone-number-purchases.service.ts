import { Injectable, Logger } from '@nestjs/common';
import { Invalid } from '#src/common/errors/api-error.js';
import { countryOf, numberTypeOf, parseCarrierNumber } from '#src/common/phone/phone.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CarrierError } from '../telephony/carrier-error.js';
import { type CarrierNumber, CarrierNumbers, type NumberType } from '../telephony/carrier-numbers.js';
import { type PurchasedNumberResponse, toPurchasedNumberResponse } from './dto/phone-number.response.js';
import { NO_COUNTRY_CODE, type PhoneNumber } from './entities/phone-number.entity.js';
import { NumberPricesService } from './number-prices.service.js';
import { PhoneNumberOrdersService } from './phone-number-orders.service.js';
import { PhoneNumberNeedsAddress, PhoneNumberNotAvailable, PurchaseFailed } from './phone-numbers.errors.js';

const PURCHASED = 'Phone number purchased successfully';
const PURCHASE_UNCONFIRMED = 'Phone number ordered, the provider has not confirmed it yet';

/** How far the carrier's clock may be behind ours. */
const CLOCK_SKEW_MS = 60_000;
const CHECK_AFTER_MS = 2_000;
/** Several times the carrier's response limit: a number that is not listed by then was not bought. */
const GIVE_UP_AFTER_MS = 60_000;
/** The carrier's codes. */
const NEEDS_ADDRESS: ReadonlySet<number | null> = new Set([21613, 21615, 21631]);

/** Buys numbers: ordered and paid in one transaction, then bought at the carrier, once. */
@Injectable()
export class PhoneNumberPurchasesService {
  private readonly logger = new Logger(PhoneNumberPurchasesService.name);

  constructor(
    private readonly carrier: CarrierNumbers,
    private readonly accounts: AccountsService,
    private readonly prices: NumberPricesService,
    private readonly orders: PhoneNumberOrdersService,
    private readonly queue: JobQueue,
  ) {}

  /** A request whose process died before the answer is not sent to the carrier again. */
  async purchasePhoneNumber(
    userId: number,
    input: string,
    requestId: string | null,
  ): Promise<{ message: string; data: PurchasedNumberResponse }> {
    const begun = requestId === null ? null : await this.orders.findByRequest(requestId);
    const number = begun ?? (await this.buy(await this.order(userId, input, requestId)));
    if (number.state === 'failed') throw new PhoneNumberNotAvailable();
    return {
      message: number.state === 'buying' ? PURCHASE_UNCONFIRMED : PURCHASED,
      data: toPurchasedNumberResponse(number),
    };
  }

  /** Settles an order whose request got no answer, or whose process died. @throws CarrierError */
  async reconcileOrder(number: PhoneNumber, now: Date): Promise<void> {
    const found = await this.findPurchasedNumber(number);
    if (found) await this.orders.confirmOrder(number, found);
    else if (now.getTime() - number.createdAt.getTime() > GIVE_UP_AFTER_MS) {
      await this.orders.failOrder(number.id, false);
    }
  }

  /** The number at the carrier, when it was bought by this order. @throws CarrierError */
  async findPurchasedNumber({ phoneNumber, createdAt }: PhoneNumber): Promise<CarrierNumber | null> {
    const found = await this.carrier.findNumber(phoneNumber);
    return found && found.createdAt.getTime() >= createdAt.getTime() - CLOCK_SKEW_MS ? found : null;
  }

  private async order(userId: number, input: string, requestId: string | null): Promise<PhoneNumber> {
    const phoneNumber = parseCarrierNumber(input, (await this.accounts.accountView(userId)).country);
    if (phoneNumber === null) {
      throw new Invalid({ phone_number: [fieldMessage('phone_number', 'must be a valid phone number')] });
    }
    const country = countryOf(phoneNumber);
    return this.orders.orderNumber({
      accountId: userId,
      phoneNumber,
      countryCode: country ?? NO_COUNTRY_CODE,
      type: typeOf(phoneNumber),
      requestId,
      priceMicros: await this.prices.findPrice(country),
    });
  }

  private async buy(number: PhoneNumber): Promise<PhoneNumber> {
    try {
      return await this.orders.confirmOrder(number, await this.carrier.buyNumber(number.phoneNumber));
    } catch (error) {
      if (!(error instanceof CarrierError)) return this.leaveUnconfirmed(number, error);
      if (error.failure === 'unknown') return this.lookUp(number, error);
      await this.orders.failOrder(number.id, true);
      throw this.refusalOf(error);
    }
  }

  /** There was no response. After one with a code the carrier has finished the request, so that its list decides. */
  private async lookUp(number: PhoneNumber, failure: CarrierError): Promise<PhoneNumber> {
    let found: CarrierNumber | null;
    try {
      found = await this.findPurchasedNumber(number);
    } catch (error) {
      return this.leaveUnconfirmed(number, error);
    }
    if (found) return this.orders.confirmOrder(number, found);
    if (failure.code === null) return this.leaveUnconfirmed(number, failure);
    await this.orders.failOrder(number.id, false);
    throw this.refusalOf(failure);
  }

  /** It may have been bought: an error response would make the client buy another number. */
  private async leaveUnconfirmed(number: PhoneNumber, error: unknown): Promise<PhoneNumber> {
    this.logger.warn(
      `The purchase of number ${number.id} is unconfirmed (${error instanceof Error ? error.name : 'error'}); asking the carrier`,
    );
    try {
      return await this.orders.checkOrderSoon(number.id, CHECK_AFTER_MS);
    } catch {
      // Without the database the reconciliation runs when the row becomes due.
      return number;
    } finally {
      this.queue.enqueue('phone-number', number, CHECK_AFTER_MS);
    }
  }

  /** Codes from 21000 are about the request; others are problems of the carrier or the operator. */
  private refusalOf({ code, message, failure }: CarrierError): Error {
    if (NEEDS_ADDRESS.has(code)) return new PhoneNumberNeedsAddress();
    if (failure === 'rejected' && code !== null && code >= 21_000 && code < 22_000) {
      return new PhoneNumberNotAvailable();
    }
    this.logger.warn(message);
    return new PurchaseFailed();
  }
}

function typeOf(phoneNumber: string): NumberType {
  const type = numberTypeOf(phoneNumber);
  if (type === 'TOLL_FREE') return 'toll_free';
  return type === 'MOBILE' ? 'mobile' : 'local';
}
