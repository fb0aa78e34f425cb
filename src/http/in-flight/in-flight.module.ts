import { Module, type DynamicModule } from '@nestjs/common';
import { InFlightLimiterService } from './in-flight-limiter.service.js';

@Module({})
export class InFlightModule {
  static forRoot({ maxPerAccount }: { maxPerAccount: number }): DynamicModule {
    return {
      module: InFlightModule,
      providers: [
        { provide: InFlightLimiterService, useFactory: () => new InFlightLimiterService(maxPerAccount) },
      ],
      exports: [InFlightLimiterService],
    };
  }
}
