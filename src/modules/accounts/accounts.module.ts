import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsAdmin } from './accounts-admin.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { CallCharges } from './call-charges.service.js';
import { Account } from './entities/account.entity.js';
import { LedgerEntry } from './entities/ledger-entry.entity.js';
import { Plan } from './entities/plan.entity.js';
import { LedgerAudit } from './ledger-audit.service.js';
import { LedgerHistory } from './ledger-history.service.js';
import { Ledger } from './ledger.js';
import { PlansService } from './plans.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Account, LedgerEntry, Plan])],
  controllers: [AccountsController],
  providers: [AccountsService, AccountsAdmin, CallCharges, Ledger, LedgerAudit, LedgerHistory, PlansService],
  exports: [AccountsService, AccountsAdmin, CallCharges, Ledger, LedgerAudit, PlansService],
})
export class AccountsModule {}
