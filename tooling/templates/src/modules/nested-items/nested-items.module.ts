import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SampleItemsModule } from '../sample-items/sample-items.module.js';
import { NestedItem } from './entities/nested-item.entity.js';
import { NestedItemsController } from './nested-items.controller.js';
import { NestedItemsService } from './nested-items.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([NestedItem]), SampleItemsModule],
  controllers: [NestedItemsController],
  providers: [NestedItemsService],
  exports: [NestedItemsService],
})
export class NestedItemsModule {}
