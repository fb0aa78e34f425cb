import { Module, type DynamicModule } from '@nestjs/common';
import { OutboundHttpService, OutboundHttpSettings } from './outbound-http.service.js';

@Module({})
export class OutboundHttpModule {
  static forRoot(settings: OutboundHttpSettings): DynamicModule {
    return {
      module: OutboundHttpModule,
      global: true,
      providers: [{ provide: OutboundHttpSettings, useValue: settings }, OutboundHttpService],
      exports: [OutboundHttpService],
    };
  }
}
