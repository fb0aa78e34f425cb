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
import { ApiInternalServerErrorResponse } from '@nestjs/swagger';
import { catchError, throwError, type Observable } from 'rxjs';
import { ApiError, UnexpectedFailure } from '../errors/api-error.js';
import { toErrorAnswer } from '../errors/error-answer.js';
import { MessageResponse } from './message.response.js';

const MESSAGE = 'http:failure-message';

@Injectable()
class ErrorMessageInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const message = this.reflector.get<string>(MESSAGE, context.getHandler());
    return next.handle().pipe(
      catchError((error: unknown) => {
        const foreseen = error instanceof ApiError || !toErrorAnswer(error).unexpected;
        return throwError(() => (foreseen ? error : new UnexpectedFailure(message, error)));
      }),
    );
  }
}

/** The text of the 500 for what nobody foresaw; foreseen errors pass. */
export const ErrorMessage = (message: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(MESSAGE, message),
    UseInterceptors(ErrorMessageInterceptor),
    ApiInternalServerErrorResponse({ type: MessageResponse, description: message }),
  );
