import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';

const MESSAGE = 'http:message';

@Injectable()
class ResponseMessageInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const message = this.reflector.get<string | undefined>(MESSAGE, context.getHandler());
    return next.handle().pipe(map((data: unknown) => ({ message, data })));
  }
}

/**
 * Wraps what the handler returns: `{message, data}`, without a message `{data}`, and for a handler that
 * returns nothing `{message}`.
 */
export const ResponseMessage = (message?: string): MethodDecorator =>
  applyDecorators(SetMetadata(MESSAGE, message), UseInterceptors(ResponseMessageInterceptor));
