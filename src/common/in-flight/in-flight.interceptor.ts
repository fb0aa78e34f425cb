import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Observable } from 'rxjs';
import { inShareOf } from '../persistence/shared-pool.js';

/** A request of an account takes database connections out of the account's share. */
@Injectable()
export class InFlightInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { user: accountId } = context.switchToHttp().getRequest<{ user?: unknown }>();
    if (typeof accountId !== 'number') return next.handle();
    return new Observable((subscriber) => inShareOf(accountId, () => next.handle().subscribe(subscriber)));
  }
}
