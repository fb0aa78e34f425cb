import { Injectable, Logger } from '@nestjs/common';
import { Invalid } from '#src/common/errors/api-error.js';
import { isCountry } from '#src/common/phone/phone.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { type AvailableNumber, Carrier, CarrierError } from '../telephony/carrier.js';
import type { SearchPhoneNumbersDto } from './dto/phone-number-input.dto.js';
import { type AvailableNumberResponse, toAvailableNumberResponse } from './dto/phone-number.response.js';
import { NumberPricesService } from './number-prices.service.js';
import { SearchFailed } from './phone-numbers.errors.js';

/** Of each type. */
const LIMIT = 20;

@Injectable()
export class PhoneNumberSearchService {
  private readonly logger = new Logger(PhoneNumberSearchService.name);

  constructor(
    private readonly carrier: Carrier,
    private readonly accounts: AccountsService,
    private readonly prices: NumberPricesService,
  ) {}

  /** @throws SearchFailed when the carrier does not answer */
  async searchPhoneNumbers(
    userId: number,
    { country_code, contains }: SearchPhoneNumbersDto,
  ): Promise<AvailableNumberResponse[]> {
    const countryCode = country_code?.toUpperCase() ?? (await this.accounts.view(userId)).country;
    if (!isCountry(countryCode)) {
      throw new Invalid({ country_code: [selectedInvalidMessage('country_code')] });
    }
    const numbers = await this.search(countryCode, contains ?? null);
    const price = await this.prices.priceIn(countryCode);
    return numbers.map((number) => toAvailableNumberResponse(number, price));
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
