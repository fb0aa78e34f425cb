import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssistantGroup } from './entities/assistant-group.entity.js';
import { FolderAliasController, FoldersController } from './folders.controller.js';
import { GroupsService } from './groups.service.js';
import { LabelAliasController, LabelsController } from './labels.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([AssistantGroup])],
  controllers: [FoldersController, FolderAliasController, LabelsController, LabelAliasController],
  providers: [GroupsService],
  exports: [GroupsService],
})
export class GroupsModule {}
