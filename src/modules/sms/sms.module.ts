import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerAuditService } from '../accounts/ledger-audit.service.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { SmsMessage, SmsPrice } from './entities/sms.entities.js';
import { DeliveryReceiptsService, SMS_LEDGER_SOURCE } from './delivery-receipts.service.js';
import { SmsReportsListener } from './sms-reports.listener.js';
import { SmsReconciliationProcessor, SmsReconciliationService } from './sms-reconciliation.service.js';
import { SmsRetentionService } from './sms-retention.service.js';
import { SmsSenderService } from './sms-sender.service.js';
import { SmsOrdersRepository } from './sms-orders.repository.js';
import { SmsTermsService } from './sms-terms.service.js';
import { SmsController } from './sms.controller.js';
import { SmsPersonalDataService } from './sms-personal-data.service.js';
import { SmsService } from './sms.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SmsMessage, SmsPrice]),
    AccountsModule,
    PhoneNumbersModule,
    RetentionModule,
    SuppressionsModule,
    TelephonyModule,
  ],
  controllers: [SmsController],
  providers: [
    SmsReconciliationProcessor,
    DeliveryReceiptsService,
    SmsReconciliationService,
    SmsOrdersRepository,
    SmsPersonalDataService,
    SmsReportsListener,
    SmsRetentionService,
    SmsSenderService,
    SmsService,
    SmsTermsService,
  ],
  exports: [SmsPersonalDataService, SmsTermsService],
})
export class SmsModule {
  constructor(audit: LedgerAuditService) {
    audit.registerSource(SMS_LEDGER_SOURCE);
  }
}
