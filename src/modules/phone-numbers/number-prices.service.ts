import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CountryPrices } from '../accounts/country-prices.js';
import { AuditService } from '../audit/audit.service.js';

/** Price of a month of a number, by the country of its range. */
@Injectable()
export class NumberPricesService extends CountryPrices {
  constructor(db: DataSource, audit: AuditService) {
    super(db, audit, 'phone_number_prices');
  }
}
