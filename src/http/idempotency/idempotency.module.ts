import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyService } from './idempotency.service.js';
import { StoredAnswersService } from './stored-answers.service.js';
import { IdempotencyCleanupService } from './idempotency-cleanup.service.js';

/** Every POST of an account takes an `Idempotency-Key`, by the `Post` decorator of this folder. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyService, IdempotencyCleanupService, StoredAnswersService],
  exports: [IdempotencyService, StoredAnswersService],
})
export class IdempotencyModule {}
