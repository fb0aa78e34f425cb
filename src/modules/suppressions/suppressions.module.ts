import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ErasedNumber } from './entities/erased-number.entity.js';
import { NumberHashKey } from './entities/number-hash-key.entity.js';
import { Suppression } from './entities/suppression.entity.js';
import { ErasedNumbersCleanupService } from './erased-numbers-cleanup.service.js';
import { ErasedNumbersService } from './erased-numbers.service.js';
import { NumberHashesService } from './number-hashes.service.js';
import { SuppressionImportService } from './suppression-import.service.js';
import { SuppressionsController } from './suppressions.controller.js';
import { SuppressionsService } from './suppressions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ErasedNumber, NumberHashKey, Suppression]), AccountsModule],
  controllers: [SuppressionsController],
  providers: [
    ErasedNumbersService,
    ErasedNumbersCleanupService,
    NumberHashesService,
    SuppressionsService,
    SuppressionImportService,
  ],
  exports: [ErasedNumbersService, NumberHashesService, SuppressionsService],
})
export class SuppressionsModule {}
