import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CountryPrices } from '../accounts/country-prices.js';

/** Price of a month of a number, by the country of its range. */
@Injectable()
export class NumberPricesService extends CountryPrices {
  constructor(db: DataSource) {
    super(db, 'phone_number_prices');
  }
}
