import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IdempotencyKeys } from './idempotency-keys.js';
import { IdempotencyUpkeep } from './idempotency-upkeep.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Every POST of an account takes an `Idempotency-Key`; no route has to ask for it. */
@Module({
  providers: [
    IdempotencyKeys,
    IdempotencyUpkeep,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class IdempotencyModule {}
