import {
  Injectable,
  Module,
  type CallHandler,
  type DynamicModule,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Observable } from 'rxjs';
import { inShareOf } from '../persistence/shared-pool.js';
import { InFlightLimiterService } from './in-flight-limiter.service.js';

/** A request of an account uses database connections of that account's share. */
@Injectable()
export class InFlightInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { user: accountId } = context.switchToHttp().getRequest<{ user?: unknown }>();
    if (typeof accountId !== 'number') return next.handle();
    return new Observable((subscriber) => inShareOf(accountId, () => next.handle().subscribe(subscriber)));
  }
}

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
