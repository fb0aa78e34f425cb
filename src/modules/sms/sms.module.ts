import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerAudit } from '../accounts/ledger-audit.service.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { SmsMessage } from './entities/sms-message.entity.js';
import { SmsBooking } from './sms-booking.service.js';
import { SmsCheckProcessor } from './sms-check.processor.js';
import { SMS_LEDGER_SOURCE } from './sms-ledger-source.js';
import { SmsPages } from './sms-pages.js';
import { SmsPricesService } from './sms-prices.service.js';
import { SmsProofs } from './sms-proofs.service.js';
import { SmsReconciler } from './sms-reconciler.service.js';
import { SmsReports } from './sms-reports.service.js';
import { SmsSender } from './sms-sender.service.js';
import { SmsController } from './sms.controller.js';
import { SmsService } from './sms.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SmsMessage]), AccountsModule, PhoneNumbersModule, TelephonyModule],
  controllers: [SmsController],
  providers: [
    SmsBooking,
    SmsCheckProcessor,
    SmsPages,
    SmsPricesService,
    SmsProofs,
    SmsReconciler,
    SmsReports,
    SmsSender,
    SmsService,
  ],
  exports: [SmsPricesService],
})
export class SmsModule {
  constructor(audit: LedgerAudit) {
    audit.register(SMS_LEDGER_SOURCE);
  }
}
