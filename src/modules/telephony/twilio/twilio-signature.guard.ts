import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#src/common/errors/api-error.js';
import type { CarrierForm } from '../carrier-form.js';
import { SIGNATURE_HEADER, TwilioSignature } from './twilio-signature.js';
import { TwilioUrls } from './twilio-urls.js';

/** Lets the carrier in and nobody else. */
@Injectable()
export class TwilioSignatureGuard implements CanActivate {
  constructor(
    private readonly signature: TwilioSignature,
    private readonly urls: TwilioUrls,
  ) {}

  /** @throws ApiError 403 */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Body?: CarrierForm }>>();
    const url = this.urls.requestUrl(request.originalUrl);
    if (this.signature.isValid(request.headers[SIGNATURE_HEADER], url, request.body ?? {})) return true;
    throw new ApiError(403, 'Forbidden');
  }
}
