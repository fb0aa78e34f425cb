import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SampleItem } from './entities/sample-item.entity.js';
import { SampleItemsController } from './sample-items.controller.js';
import { SampleItemsService } from './sample-items.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SampleItem])],
  controllers: [SampleItemsController],
  providers: [SampleItemsService],
  exports: [SampleItemsService],
})
export class SampleItemsModule {}
