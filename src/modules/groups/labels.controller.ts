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
import { LabelNotFound } from './groups.errors.js';
import { GroupsService } from './groups.service.js';

@ApiResource('Labels')
@Controller('user/labels')
export class LabelsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Endpoint({ summary: 'Labels of assistants, newest first, paginated', page: GroupResponse })
  listLabels(@UserId() userId: number, @Query() query: ListGroupsDto): Promise<Page<GroupResponse>> {
    return this.groups.listGroups(userId, 'label', query);
  }

  @Post()
  @Endpoint({
    summary: 'Create a label; an account has at most 100',
    status: 201,
    message: true,
    data: GroupResponse,
  })
  async createLabel(
    @UserId() userId: number,
    @Body() dto: CreateGroupDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<GroupResponse>> {
    return {
      message: 'Label created successfully',
      data: await this.groups.createGroup(userId, 'label', dto, key),
    };
  }

  @Get(':id')
  @Endpoint({ summary: 'One label', data: GroupResponse })
  async getLabel(
    @UserId() userId: number,
    @PathId(LabelNotFound) id: number,
  ): Promise<DataResult<GroupResponse>> {
    return { data: await this.groups.getGroup(userId, 'label', id) };
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of a label',
    message: true,
    data: GroupResponse,
  })
  async updateLabel(
    @UserId() userId: number,
    @PathId(LabelNotFound) id: number,
    @Body() dto: UpdateGroupDto,
  ): Promise<MessageAndData<GroupResponse>> {
    return {
      message: 'Label updated successfully',
      data: await this.groups.updateGroup(userId, 'label', id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Delete a label; its assistants stay, without it' })
  async deleteLabel(@UserId() userId: number, @PathId(LabelNotFound) id: number): Promise<MessageResponse> {
    await this.groups.deleteGroup(userId, 'label', id);
    return { message: 'Label deleted successfully' };
  }
}

/** The singular paths, which some clients use. Operations of their own: an operation id must be unique. */
@ApiResource('Labels')
@Controller('user/label')
export class LabelAliasController {
  constructor(private readonly groups: GroupsService) {}

  @Post()
  @Endpoint({
    summary: 'The same as POST /user/labels',
    status: 201,
    message: true,
    data: GroupResponse,
  })
  async createLabelAlias(
    @UserId() userId: number,
    @Body() dto: CreateGroupDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<GroupResponse>> {
    return {
      message: 'Label created successfully',
      data: await this.groups.createGroup(userId, 'label', dto, key),
    };
  }

  @Put(':id')
  @Endpoint({
    summary: 'The same as PUT /user/labels/{id}',
    message: true,
    data: GroupResponse,
  })
  async updateLabelAlias(
    @UserId() userId: number,
    @PathId(LabelNotFound) id: number,
    @Body() dto: UpdateGroupDto,
  ): Promise<MessageAndData<GroupResponse>> {
    return {
      message: 'Label updated successfully',
      data: await this.groups.updateGroup(userId, 'label', id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'The same as DELETE /user/labels/{id}' })
  async deleteLabelAlias(
    @UserId() userId: number,
    @PathId(LabelNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.groups.deleteGroup(userId, 'label', id);
    return { message: 'Label deleted successfully' };
  }
}
