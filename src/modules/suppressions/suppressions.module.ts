import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Suppression } from './entities/suppression.entity.js';
import { SuppressionImportService } from './suppression-import.service.js';
import { SuppressionsController } from './suppressions.controller.js';
import { SuppressionsService } from './suppressions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Suppression]), AccountsModule],
  controllers: [SuppressionsController],
  providers: [SuppressionsService, SuppressionImportService],
  exports: [SuppressionsService],
})
export class SuppressionsModule {}
