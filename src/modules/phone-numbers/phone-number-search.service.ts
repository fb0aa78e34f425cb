import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Invalid, TooManyRequests } from '#src/common/errors/api-error.js';
import { isCountry } from '#src/common/phone/phone.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CarrierError } from '../telephony/carrier-error.js';
import { type AvailableNumber, CarrierNumbers } from '../telephony/carrier-numbers.js';
import type { SearchPhoneNumbersDto } from './dto/phone-number-input.dto.js';
import { type AvailableNumberResponse, toAvailableNumberResponse } from './dto/phone-number.response.js';
import { NumberPricesService } from './number-prices.service.js';
import { SearchFailed } from './phone-numbers.errors.js';

/** Of each type. */
const LIMIT = 20;
/**
 * Milliseconds for which the carrier's response to a search is cached, for all accounts; numbers that are bought
 * meanwhile are refused.
 */
const KEPT_MS = 60_000;
const MAX_KEPT = 500;
/** Of an account: one search a second, two at once. Searches of all accounts leave the carrier to calls. */
const PAUSE_MS = 1_000;
const ACCOUNT_SEARCHES = 2;
const ALL_SEARCHES = 4;

@Injectable()
export class PhoneNumberSearchService {
  private readonly logger = new Logger(PhoneNumberSearchService.name);
  /** By country and digits, the oldest first. */
  private readonly kept = new Map<string, { at: number; numbers: Promise<AvailableNumber[]> }>();
  /** Accounts with a request to the carrier in the last second. */
  private readonly asking = new Map<number, { running: number; nextAt: number }>();
  private running = 0;

  constructor(
    private readonly carrier: CarrierNumbers,
    private readonly accounts: AccountsService,
    private readonly prices: NumberPricesService,
  ) {}

  /** @throws SearchFailed when the carrier does not answer; TooManyRequests for an account that searches too often */
  async searchPhoneNumbers(
    userId: number,
    { country_code, contains }: SearchPhoneNumbersDto,
  ): Promise<AvailableNumberResponse[]> {
    const countryCode = country_code?.toUpperCase() ?? (await this.accounts.accountView(userId)).country;
    if (!isCountry(countryCode)) {
      throw new Invalid({ country_code: [selectedInvalidMessage('country_code')] });
    }
    const numbers = await this.known(userId, countryCode, contains ?? null);
    const price = await this.prices.findPrice(countryCode);
    return numbers.map((number) => toAvailableNumberResponse(number, price));
  }

  /** The carrier's response, cached for a minute. */
  private known(userId: number, countryCode: string, contains: string | null): Promise<AvailableNumber[]> {
    const name = `${countryCode} ${contains ?? ''}`;
    const kept = this.kept.get(name);
    if (kept && Date.now() - kept.at < KEPT_MS) return kept.numbers;
    const numbers = this.admitted(userId, () => this.search(countryCode, contains));
    this.kept.delete(name);
    this.kept.set(name, { at: Date.now(), numbers });
    const [oldest = name] = this.kept.keys();
    if (this.kept.size > MAX_KEPT) this.kept.delete(oldest);
    numbers.catch(() => this.kept.delete(name));
    return numbers;
  }

  /** Waits for the account's turn; whoever does not wait for answers is refused. */
  private async admitted<T>(userId: number, search: () => Promise<T>): Promise<T> {
    const now = Date.now();
    for (const [id, { running, nextAt }] of this.asking)
      if (running === 0 && nextAt <= now) this.asking.delete(id);
    const mine = this.asking.get(userId) ?? { running: 0, nextAt: now };
    if (mine.running >= ACCOUNT_SEARCHES || this.running >= ALL_SEARCHES) throw new TooManyRequests(1);
    const waitMs = Math.max(0, mine.nextAt - now);
    this.asking.set(userId, mine);
    mine.nextAt = now + waitMs + PAUSE_MS;
    mine.running += 1;
    this.running += 1;
    try {
      if (waitMs > 0) await sleep(waitMs);
      return await search();
    } finally {
      mine.running -= 1;
      this.running -= 1;
    }
  }

  private async search(countryCode: string, contains: string | null): Promise<AvailableNumber[]> {
    try {
      return await this.carrier.searchNumbers({ countryCode, contains, limit: LIMIT });
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(error.message);
      throw new SearchFailed();
    }
  }
}
