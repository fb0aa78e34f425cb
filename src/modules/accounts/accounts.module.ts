import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsAdminService } from './accounts-admin.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { ConsoleService } from './console.service.js';
import { Account, LedgerEntry, Plan } from './entities/account.entities.js';
import { SpendAlert, SpendCounter } from './entities/spending.entities.js';
import { LedgerAuditService } from './ledger-audit.service.js';
import { LedgerHistoryService } from './ledger-history.service.js';
import { LedgerService } from './ledger.service.js';
import { PlansService } from './plans.service.js';
import { SpendAlertsListener } from './spend-alerts.listener.js';
import { SpendLimitController } from './spend-limit.controller.js';
import { SpendLimitsService } from './spend-limits.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Account, LedgerEntry, Plan, SpendAlert, SpendCounter])],
  controllers: [AccountsController, SpendLimitController],
  providers: [
    AccountsService,
    AccountsAdminService,
    ConsoleService,
    LedgerService,
    LedgerAuditService,
    LedgerHistoryService,
    PlansService,
    SpendAlertsListener,
    SpendLimitsService,
  ],
  exports: [
    AccountsService,
    AccountsAdminService,
    LedgerService,
    LedgerAuditService,
    PlansService,
    SpendLimitsService,
  ],
})
export class AccountsModule {}
