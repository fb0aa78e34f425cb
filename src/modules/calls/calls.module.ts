import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerAudit } from '../accounts/ledger-audit.service.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { CallCheckProcessor } from './call-check.processor.js';
import { CallChecks } from './call-checks.service.js';
import { CALL_HOLD_SOURCE, CALL_LEDGER_SOURCE } from './call-ledger-source.js';
import { CallPages } from './call-pages.js';
import { CallProgress } from './call-progress.service.js';
import { CallRecords } from './call-records.service.js';
import { CallTallies } from './call-tallies.service.js';
import { CallTranscript } from './call-transcript.service.js';
import { CallWrapUps } from './call-wrap-ups.service.js';
import { CallsController } from './calls.controller.js';
import { CallsService } from './calls.service.js';
import { Call } from './entities/call.entity.js';
import { LatePrices } from './late-prices.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Call]), AccountsModule, TelephonyModule],
  controllers: [CallsController],
  providers: [
    CallsService,
    CallPages,
    CallTallies,
    CallRecords,
    CallProgress,
    CallTranscript,
    CallWrapUps,
    CallChecks,
    CallCheckProcessor,
    LatePrices,
  ],
  exports: [CallRecords, CallProgress, CallTranscript, CallWrapUps],
})
export class CallsModule {
  constructor(audit: LedgerAudit) {
    audit.register(CALL_LEDGER_SOURCE);
    audit.registerHolds(CALL_HOLD_SOURCE);
  }
}
