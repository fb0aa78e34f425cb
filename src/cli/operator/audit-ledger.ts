import { AppModule } from '#src/app.module.js';
import { LedgerAudit, type AuditReport } from '#src/modules/accounts/ledger-audit.service.js';
import { withServices } from './operator.js';

/** With the whole application: each module that moves money says there what its entries must sum to. */
export const auditLedger = (): Promise<AuditReport> =>
  withServices(AppModule, (app) => app.get(LedgerAudit, { strict: false }).verify());
