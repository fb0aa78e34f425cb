import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PathId } from '#src/common/http/path-id.js';
import type { ClaimedKey } from '#src/common/idempotency/idempotency.service.js';
import { RequestKeyClaim } from '#src/common/idempotency/keyed-requests.js';
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
  listLabels(@UserId() userId: number, @Query() query: ListGroupsDto) {
    return this.groups.listGroups(userId, 'label', query);
  }

  @Post()
  @Endpoint({
    summary: 'Create a label; an account has at most 100',
    status: 201,
    message: 'Label created successfully',
    data: GroupResponse,
  })
  createLabel(
    @UserId() userId: number,
    @Body() dto: CreateGroupDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ) {
    return this.groups.createGroup(userId, 'label', dto, key);
  }

  @Get(':id')
  @Endpoint({ summary: 'One label', data: GroupResponse })
  getLabel(@UserId() userId: number, @PathId(LabelNotFound) id: number) {
    return this.groups.getGroup(userId, 'label', id);
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of a label',
    message: 'Label updated successfully',
    data: GroupResponse,
  })
  updateLabel(@UserId() userId: number, @PathId(LabelNotFound) id: number, @Body() dto: UpdateGroupDto) {
    return this.groups.updateGroup(userId, 'label', id, dto);
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a label; its assistants stay, without it',
    message: 'Label deleted successfully',
  })
  deleteLabel(@UserId() userId: number, @PathId(LabelNotFound) id: number) {
    return this.groups.deleteGroup(userId, 'label', id);
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
    message: 'Label created successfully',
    data: GroupResponse,
  })
  createLabelAlias(
    @UserId() userId: number,
    @Body() dto: CreateGroupDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ) {
    return this.groups.createGroup(userId, 'label', dto, key);
  }

  @Put(':id')
  @Endpoint({
    summary: 'The same as PUT /user/labels/{id}',
    message: 'Label updated successfully',
    data: GroupResponse,
  })
  updateLabelAlias(@UserId() userId: number, @PathId(LabelNotFound) id: number, @Body() dto: UpdateGroupDto) {
    return this.groups.updateGroup(userId, 'label', id, dto);
  }

  @Delete(':id')
  @Endpoint({ summary: 'The same as DELETE /user/labels/{id}', message: 'Label deleted successfully' })
  deleteLabelAlias(@UserId() userId: number, @PathId(LabelNotFound) id: number) {
    return this.groups.deleteGroup(userId, 'label', id);
  }
}
