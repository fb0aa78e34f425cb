import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerAuditService } from '../accounts/ledger-audit.service.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { PhoneNumberPrice } from './entities/phone-number-price.entity.js';
import { PhoneNumber } from './entities/phone-number.entity.js';
import { NumberPricesService } from './number-prices.service.js';
import { PHONE_NUMBER_LEDGER_SOURCE, PhoneNumberOrdersService } from './phone-number-orders.service.js';
import { PhoneNumberPurchasesService } from './phone-number-purchases.service.js';
import { PhoneNumberReleasesService } from './phone-number-releases.service.js';
import { PhoneNumberRenewalsService } from './phone-number-renewals.service.js';
import { PhoneNumberSearchService } from './phone-number-search.service.js';
import { PhoneNumberProcessor } from './phone-number.processor.js';
import { PhoneNumbersController } from './phone-numbers.controller.js';
import { PhoneNumbersService } from './phone-numbers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([PhoneNumber, PhoneNumberPrice]), AccountsModule, TelephonyModule],
  controllers: [PhoneNumbersController],
  providers: [
    PhoneNumbersService,
    PhoneNumberSearchService,
    PhoneNumberPurchasesService,
    PhoneNumberOrdersService,
    PhoneNumberRenewalsService,
    PhoneNumberReleasesService,
    PhoneNumberProcessor,
    NumberPricesService,
  ],
  exports: [PhoneNumbersService, PhoneNumberReleasesService],
})
export class PhoneNumbersModule {
  constructor(audit: LedgerAuditService) {
    audit.registerSource(PHONE_NUMBER_LEDGER_SOURCE);
  }
}
