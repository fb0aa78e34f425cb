import 'reflect-metadata';
import { userInfo } from 'node:os';
import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { AuthModule } from '#src/auth/auth.module.js';
import { singleModelSettings } from '#src/config/env.dto.js';
import { ConfigModule, type RuntimeSettings } from '#src/config/runtime-settings.js';
import { DatabaseModule } from '#src/database/database.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainEventRecord } from '#src/events/domain-event.entity.js';
import { DeadLettersService } from '#src/events/dead-letters.service.js';
import { AuditVerificationService } from '#src/modules/audit/audit-verification.service.js';
import { AuditLogService } from '#src/modules/audit/audit-log.service.js';
import { AuditService } from '#src/modules/audit/audit.service.js';
import { AuditModule } from '#src/modules/audit/audit.module.js';
import { AccountsModule } from '#src/modules/accounts/accounts.module.js';
import { CarrierNumbersService } from '#src/modules/phone-numbers/carrier-numbers.service.js';
import { PhoneNumberPrice } from '#src/modules/phone-numbers/entities/phone-number-price.entity.js';
import { PhoneNumber } from '#src/modules/phone-numbers/entities/phone-number.entity.js';
import { NumberPricesService } from '#src/modules/phone-numbers/number-prices.service.js';
import { SmsPrice } from '#src/modules/sms/entities/sms.entities.js';
import { SmsTermsService } from '#src/modules/sms/sms-terms.service.js';
import { AppModule } from '#src/app.module.js';
import { LedgerAuditService, type AuditReport } from '#src/modules/accounts/ledger-audit.service.js';
import { NestFactory } from '@nestjs/core';
import { AccessTokensService } from '#src/auth/access-tokens.service.js';
import { runInContext, type Actor } from '#src/common/work-context.js';
import { keysOrOwn } from '#src/config/key-file.js';
import { loadSettings, type Settings } from '#src/config/settings.js';
import { migrate } from '#src/database/migrate.js';
import { KeyRotationService } from '#src/secrets/key-rotation.service.js';
import { SealedColumnsService } from '#src/secrets/sealed-columns.service.js';
import { AccountsAdminService } from '#src/modules/accounts/accounts-admin.service.js';
import { CampaignCountersService } from '#src/modules/campaigns/campaign-counters.service.js';
import { CatalogueAdminService } from '#src/modules/catalog/catalogue-admin.service.js';
import { CatalogModule } from '#src/modules/catalog/catalog.module.js';
import { CampaignsService } from '#src/modules/campaigns/campaigns.service.js';
import { LeadImportService } from '#src/modules/leads/import/lead-import.service.js';
import { SuppressionImportService } from '#src/modules/suppressions/suppression-import.service.js';
import { LostCallsService } from '#src/modules/calls/states/lost-calls.service.js';
import { LostCallRecordsService } from '#src/modules/dialer/lost-call-records.service.js';
import { PlansService } from '#src/modules/accounts/plans.service.js';
import { PhoneNumbersService } from '#src/modules/phone-numbers/phone-numbers.service.js';
import { CarrierModule } from '#src/modules/telephony/telephony.module.js';
import { withDatabase, requireTables } from './database.js';

/** The modules that most commands need. */
@Module({})
export class OperatorModule {
  static forRoot(settings: RuntimeSettings): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        ConfigModule.forRoot(settings),
        DatabaseModule,
        AuthModule,
        AuditModule,
        AccountsModule,
        CarrierModule,
        CatalogModule,
        TypeOrmModule.forFeature([DomainEventRecord, PhoneNumber, PhoneNumberPrice, SmsPrice]),
      ],
      // Listed here because their modules would also load the queue and the relay.
      providers: [
        PhoneNumbersService,
        CarrierNumbersService,
        NumberPricesService,
        SmsTermsService,
        DeadLettersService,
      ],
    };
  }
}

/** Loads the application: every module with ledger entries registers the check of its own. */
export const auditLedger = (): Promise<AuditReport> =>
  withServices(AppModule, (app) => app.get(LedgerAuditService, { strict: false }).verifyLedger());

/** Loads the application: every module with secrets registers its columns. */
export const runWithKeys = <T>(
  work: (services: {
    rotation: KeyRotationService;
    columns: SealedColumnsService;
    audit: AuditService;
  }) => Promise<T>,
): Promise<T> =>
  withServices(AppModule, (app) =>
    work({
      rotation: app.get(KeyRotationService, { strict: false }),
      columns: app.get(SealedColumnsService, { strict: false }),
      audit: app.get(AuditService, { strict: false }),
    }),
  );

export interface RestoreServices {
  db: DataSource;
  lost: LostCallsService;
  records: LostCallRecordsService;
}

/** Loads the application: the handlers of the carrier's reports register with it. */
export const runAsRestoreOperator = <T>(work: (services: RestoreServices) => Promise<T>): Promise<T> =>
  withServices(AppModule, (app) =>
    work({
      db: app.get(DataSource, { strict: false }),
      lost: app.get(LostCallsService, { strict: false }),
      records: app.get(LostCallRecordsService, { strict: false }),
    }),
  );

export interface CampaignOperatorServices {
  accounts: AccountsAdminService;
  campaigns: CampaignsService;
  counters: CampaignCountersService;
  leads: LeadImportService;
  suppressions: SuppressionImportService;
}

/** Loads the application: the modules above `campaigns` register what they count. */
export const runAsCampaignOperator = <T>(
  work: (operator: CampaignOperatorServices) => Promise<T>,
): Promise<T> =>
  withServices(AppModule, (app) =>
    work({
      accounts: app.get(AccountsAdminService, { strict: false }),
      campaigns: app.get(CampaignsService, { strict: false }),
      counters: app.get(CampaignCountersService, { strict: false }),
      leads: app.get(LeadImportService, { strict: false }),
      suppressions: app.get(SuppressionImportService, { strict: false }),
    }),
  );

export interface OperatorServices {
  accounts: AccountsAdminService;
  plans: PlansService;
  tokens: AccessTokensService;
  numbers: PhoneNumbersService;
  carrierNumbers: CarrierNumbersService;
  numberPrices: NumberPricesService;
  prices: SmsTermsService;
  events: DeadLettersService;
  catalogue: CatalogueAdminService;
  auditLog: AuditVerificationService;
  audit: AuditService;
  auditEntries: AuditLogService;
}

export async function runAsOperator<T>(work: (operator: OperatorServices) => Promise<T>): Promise<T> {
  return withServices(OperatorModule, (app) =>
    work({
      accounts: app.get(AccountsAdminService),
      plans: app.get(PlansService),
      tokens: app.get(AccessTokensService),
      numbers: app.get(PhoneNumbersService),
      carrierNumbers: app.get(CarrierNumbersService),
      numberPrices: app.get(NumberPricesService),
      prices: app.get(SmsTermsService),
      events: app.get(DeadLettersService),
      catalogue: app.get(CatalogueAdminService),
      auditLog: app.get(AuditVerificationService, { strict: false }),
      audit: app.get(AuditService, { strict: false }),
      auditEntries: app.get(AuditLogService, { strict: false }),
    }),
  );
}

/** Runs `work` with the services of a module, without log output. */
async function withServices<T>(
  part: { forRoot(settings: RuntimeSettings): DynamicModule },
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const settings = withOwnKeys(loadSettings());
  return withDatabase(settings, async ({ url, isOwn }) => {
    if (isOwn) await migrate(url, settings.catalogueFile);
    // Nest would retry the connection ten times and hide the cause.
    else await requireTables(url);
    const app = await NestFactory.createApplicationContext(part.forRoot(idleSettings(settings, url)), {
      logger: false,
      abortOnError: false,
    });
    return runInContext({ actor: operatorActor() }, () => work(app)).finally(() => app.close());
  });
}

/** For the audit log: the user of the machine. */
function operatorActor(): Actor {
  return { type: 'cli', id: null, name: userName(), address: null, requestId: null };
}

/** A user of a container may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** With the key of the data directory where the settings have none. */
export const withOwnKeys = (settings: Settings): Settings => ({
  ...settings,
  encryptionKeys: [...keysOrOwn(settings.encryptionKeys, settings.dataDir).keys],
});

/** Settings for an application that runs no jobs and places no calls. */
export const idleSettings = (settings: Settings, databaseUrl: string): RuntimeSettings => ({
  ...settings,
  instanceId: '',
  processName: 'calls-cli',
  databaseUrl,
  redisUrl: null,
  role: 'api',
  carrier: settings.carrier ?? { accountSid: '', authToken: '', apiUrl: null },
  model: settings.model ?? singleModelSettings({ baseUrl: '', apiKey: '' }),
});
