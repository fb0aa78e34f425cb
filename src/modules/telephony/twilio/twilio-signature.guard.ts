import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#src/common/errors/api-error.js';
import type { CarrierForm } from './carrier-form.js';
import { SIGNATURE_HEADER, TwilioSignatureService } from './twilio-signature.service.js';
import { TwilioUrlsService } from './twilio-urls.service.js';

/** Accepts only requests with a valid signature of the carrier. */
@Injectable()
export class TwilioSignatureGuard implements CanActivate {
  constructor(
    private readonly signature: TwilioSignatureService,
    private readonly urls: TwilioUrlsService,
  ) {}

  /** @throws ApiError 403 */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Body?: CarrierForm }>>();
    const url = this.urls.requestUrl(request.originalUrl);
    if (this.signature.isValid(request.headers[SIGNATURE_HEADER], url, request.body ?? {})) return true;
    throw new ApiError(403, 'Forbidden');
  }
}
