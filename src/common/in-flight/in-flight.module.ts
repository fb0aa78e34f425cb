import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { InFlightInterceptor } from './in-flight.interceptor.js';
import { InFlightLimiterService } from './in-flight-limiter.service.js';

@Module({})
export class InFlightModule {
  static with({ maxPerAccount }: { maxPerAccount: number }): DynamicModule {
    return {
      module: InFlightModule,
      providers: [
        { provide: InFlightLimiterService, useFactory: () => new InFlightLimiterService(maxPerAccount) },
        { provide: APP_INTERCEPTOR, useClass: InFlightInterceptor },
      ],
      exports: [InFlightLimiterService],
    };
  }
}
