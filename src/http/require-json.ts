import {
  applyDecorators,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiNotAcceptableResponse, ApiUnsupportedMediaTypeResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#src/common/errors/api-error.js';
import { MessageResponse } from './message.response.js';

@Injectable()
class RequireJsonGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const type = headers['content-type'];
    if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type.trim())) {
      throw new ApiError(415, 'Unsupported Media Type');
    }
    if (headers.accept !== undefined && !acceptsJson(headers.accept))
      throw new ApiError(406, 'Not Acceptable');
    return true;
  }
}

function acceptsJson(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return ['application/json', 'application/*', '*/*'].includes(type) && !refused;
  });
}

/** An absent `Content-Type` or `Accept` is tolerated; one that excludes JSON gets 415 or 406. */
export const RequireJson = (): MethodDecorator =>
  applyDecorators(
    UseGuards(RequireJsonGuard),
    ApiNotAcceptableResponse({ type: MessageResponse, description: 'JSON is not accepted.' }),
    ApiUnsupportedMediaTypeResponse({ type: MessageResponse, description: 'The content type is not JSON.' }),
  );
