import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyCleanupService } from './idempotency-cleanup.service.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Every POST of an account takes an `Idempotency-Key`; no route has to ask for it. */
@Module({
  providers: [
    IdempotencyService,
    IdempotencyCleanupService,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class IdempotencyModule {}
