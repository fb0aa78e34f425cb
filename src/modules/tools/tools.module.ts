import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Tool } from './entities/tool.entity.js';
import { ToolsController } from './tools.controller.js';
import { ToolTestsService } from './tool-tests.service.js';
import { ToolsService } from './tools.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Tool]), AccountsModule],
  controllers: [ToolsController],
  providers: [ToolsService, ToolTestsService],
  exports: [ToolsService],
})
export class ToolsModule {}
