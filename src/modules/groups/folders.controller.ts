import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import type { Page } from '#src/http/pagination/page.js';
import type { ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { RequestKeyClaim } from '#src/http/idempotency/keyed-requests.js';
import { CreateGroupDto, ListGroupsDto, UpdateGroupDto } from './dto/group-input.dto.js';
import { GroupResponse } from './dto/group.response.js';
import { FolderNotFound } from './groups.errors.js';
import { GroupsService } from './groups.service.js';

@ApiResource('Folders')
@Controller('user/folders')
export class FoldersController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Endpoint({ summary: 'Folders of assistants, newest first, paginated', page: GroupResponse })
  listFolders(@UserId() userId: number, @Query() query: ListGroupsDto): Promise<Page<GroupResponse>> {
    return this.groups.listGroups(userId, 'folder', query);
  }

  @Post()
  @Endpoint({
    summary: 'Create a folder; an account has at most 100',
    status: 201,
    message: true,
    data: GroupResponse,
  })
  async createFolder(
    @UserId() userId: number,
    @Body() dto: CreateGroupDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<GroupResponse>> {
    return {
      message: 'Folder created successfully',
      data: await this.groups.createGroup(userId, 'folder', dto, key),
    };
  }

  @Get(':id')
  @Endpoint({ summary: 'One folder', data: GroupResponse })
  async getFolder(
    @UserId() userId: number,
    @PathId(FolderNotFound) id: number,
  ): Promise<DataResult<GroupResponse>> {
    return { data: await this.groups.getGroup(userId, 'folder', id) };
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of a folder',
    message: true,
    data: GroupResponse,
  })
  async updateFolder(
    @UserId() userId: number,
    @PathId(FolderNotFound) id: number,
    @Body() dto: UpdateGroupDto,
  ): Promise<MessageAndData<GroupResponse>> {
    return {
      message: 'Folder updated successfully',
      data: await this.groups.updateGroup(userId, 'folder', id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Delete a folder; its assistants stay, in no folder' })
  async deleteFolder(@UserId() userId: number, @PathId(FolderNotFound) id: number): Promise<MessageResponse> {
    await this.groups.deleteGroup(userId, 'folder', id);
    return { message: 'Folder deleted successfully' };
  }
}

/** The singular paths, which some clients use. Operations of their own: an operation id must be unique. */
@ApiResource('Folders')
@Controller('user/folder')
export class FolderAliasController {
  constructor(private readonly groups: GroupsService) {}

  @Post()
  @Endpoint({
    summary: 'The same as POST /user/folders',
    status: 201,
    message: true,
    data: GroupResponse,
  })
  async createFolderAlias(
    @UserId() userId: number,
    @Body() dto: CreateGroupDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<GroupResponse>> {
    return {
      message: 'Folder created successfully',
      data: await this.groups.createGroup(userId, 'folder', dto, key),
    };
  }

  @Put(':id')
  @Endpoint({
    summary: 'The same as PUT /user/folders/{id}',
    message: true,
    data: GroupResponse,
  })
  async updateFolderAlias(
    @UserId() userId: number,
    @PathId(FolderNotFound) id: number,
    @Body() dto: UpdateGroupDto,
  ): Promise<MessageAndData<GroupResponse>> {
    return {
      message: 'Folder updated successfully',
      data: await this.groups.updateGroup(userId, 'folder', id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'The same as DELETE /user/folders/{id}' })
  async deleteFolderAlias(
    @UserId() userId: number,
    @PathId(FolderNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.groups.deleteGroup(userId, 'folder', id);
    return { message: 'Folder deleted successfully' };
  }
}
