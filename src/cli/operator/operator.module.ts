import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '#src/auth/auth.module.js';
import { ConfigModule } from '#src/config/config.module.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { DatabaseModule } from '#src/database/database.module.js';
import { DeadEvents } from '#src/events/dead-events.js';
import { AccountsModule } from '#src/modules/accounts/accounts.module.js';
import { PhoneNumbersModule } from '#src/modules/phone-numbers/phone-numbers.module.js';
import { SmsPricesService } from '#src/modules/sms/sms-prices.service.js';

/** The few modules that most commands need. */
@Module({})
export class OperatorModule {
  static with(settings: RuntimeSettings): DynamicModule {
    return {
      module: OperatorModule,
      imports: [ConfigModule.with(settings), DatabaseModule, AuthModule, AccountsModule, PhoneNumbersModule],
      // Their modules would bring the carrier, the queue and the relay along; the commands need none of them.
      providers: [SmsPricesService, DeadEvents],
    };
  }
}
