import { Module, type DynamicModule } from '@nestjs/common';
import { OutboundHttp } from './outbound-http.js';
import { OutboundHttpSettings } from './outbound-http.settings.js';

@Module({})
export class OutboundHttpModule {
  static with(settings: OutboundHttpSettings): DynamicModule {
    return {
      module: OutboundHttpModule,
      global: true,
      providers: [{ provide: OutboundHttpSettings, useValue: settings }, OutboundHttp],
      exports: [OutboundHttp],
    };
  }
}
