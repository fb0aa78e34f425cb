import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Suppression } from './entities/suppression.entity.js';
import { SuppressionsController } from './suppressions.controller.js';
import { SuppressionsService } from './suppressions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Suppression]), AccountsModule],
  controllers: [SuppressionsController],
  providers: [SuppressionsService],
  exports: [SuppressionsService],
})
export class SuppressionsModule {}
