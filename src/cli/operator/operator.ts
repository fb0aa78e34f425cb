import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { AccessTokensService } from '#src/auth/access-tokens.service.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { loadSettings, type Settings } from '#src/config/settings.js';
import { migrate } from '#src/database/migrate.js';
import { DeadEvents } from '#src/events/dead-events.js';
import { AccountsAdmin } from '#src/modules/accounts/accounts-admin.service.js';
import { PlansService } from '#src/modules/accounts/plans.service.js';
import { PhoneNumbersService } from '#src/modules/phone-numbers/phone-numbers.service.js';
import { SmsPricesService } from '#src/modules/sms/sms-prices.service.js';
import { withDatabase } from './database.js';
import { OperatorModule } from './operator.module.js';
import { requireTables } from './reach-database.js';

/** What most commands work with. */
export interface Operator {
  accounts: AccountsAdmin;
  plans: PlansService;
  tokens: AccessTokensService;
  numbers: PhoneNumbersService;
  prices: SmsPricesService;
  events: DeadEvents;
}

export async function asOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  return withServices(OperatorModule, (app) =>
    work({
      accounts: app.get(AccountsAdmin),
      plans: app.get(PlansService),
      tokens: app.get(AccessTokensService),
      numbers: app.get(PhoneNumbersService),
      prices: app.get(SmsPricesService),
      events: app.get(DeadEvents),
    }),
  );
}

/** Runs the work with the services of a module, silently. */
export async function withServices<T>(
  part: { with(settings: RuntimeSettings): DynamicModule },
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const settings = loadSettings();
  return withDatabase(settings, async ({ url, isOwn }) => {
    if (isOwn) await migrate(url);
    // The framework would try ten times, and not say why.
    else await requireTables(url);
    const app = await NestFactory.createApplicationContext(part.with(idle(settings, url)), {
      logger: false,
      abortOnError: false,
    });
    return work(app).finally(() => app.close());
  });
}

/** A service that runs no jobs and calls nobody. */
export const idle = (settings: Settings, databaseUrl: string): RuntimeSettings => ({
  ...settings,
  installation: '',
  databaseUrl,
  redisUrl: null,
  role: 'api',
  carrier: settings.carrier ?? { accountSid: '', authToken: '', apiUrl: null },
  model: settings.model ?? { baseUrl: '', apiKey: '' },
});
