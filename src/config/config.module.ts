import { Module, type DynamicModule } from '@nestjs/common';
import { RuntimeSettings } from './runtime-settings.js';

@Module({})
export class ConfigModule {
  static with(settings: RuntimeSettings): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: RuntimeSettings, useValue: settings }],
      exports: [RuntimeSettings],
    };
  }
}
