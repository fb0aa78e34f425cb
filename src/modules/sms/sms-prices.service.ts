import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { countryOf } from '#src/common/phone/phone.js';
import { CountryPrices } from '../accounts/country-prices.js';

/** What a segment costs, by the country of the recipient's number range. */
@Injectable()
export class SmsPricesService extends CountryPrices {
  constructor(db: DataSource) {
    super(db, 'sms_prices');
  }

  /** Micro-units per segment to an E.164 number; null or a number of no country: the default price. */
  priceTo(e164: string | null): Promise<bigint> {
    return this.priceIn(e164 === null ? null : countryOf(e164));
  }
}
