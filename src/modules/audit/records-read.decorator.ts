import {
  Injectable,
  mixin,
  StreamableFile,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { AuditService } from './audit.service.js';
import type { AuditAction, AuditDetails } from './audit.types.js';

type ReadRequest = FastifyRequest<{ Params: { id?: string; uuid?: string } }> & { user?: number };

/**
 * A handler whose successful answers are recorded before they are sent; the resource is the one that the path names.
 * Requests without a token, whose own conversation they read, are not.
 */
export const RecordsRead = (action: AuditAction): MethodDecorator => {
  @Injectable()
  class RecordsReadInterceptor implements NestInterceptor {
    constructor(private readonly audit: AuditService) {}

    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      const { user, params, query } = context.switchToHttp().getRequest<ReadRequest>();
      if (user === undefined) return next.handle();
      const filters = Object.keys(query as object).sort();
      const resourceId = params.id ?? params.uuid ?? null;
      // Values of filters can be phone numbers.
      const details: AuditDetails = resourceId === null && filters.length > 0 ? { filters } : {};
      return next.handle().pipe(
        mergeMap(async (answer: unknown) => {
          const record = { accountId: user, action, resourceId, details };
          await this.audit.recordRead(record).catch((error: unknown) => {
            if (answer instanceof StreamableFile) answer.getStream().destroy();
            throw error;
          });
          return answer;
        }),
      );
    }
  }
  return UseInterceptors(mixin(RecordsReadInterceptor));
};
