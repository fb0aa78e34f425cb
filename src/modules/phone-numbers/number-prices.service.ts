import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CountryPrices } from '../accounts/country-prices.js';

/** What a month of a number costs, by the country of its range. */
@Injectable()
export class NumberPricesService extends CountryPrices {
  constructor(db: DataSource) {
    super(db, 'phone_number_prices');
  }
}
