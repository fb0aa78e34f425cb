import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import type { Page } from '#src/http/pagination/page.js';
import { SampleItemNotFound } from '../sample-items/sample-items.errors.js';
import { CreateNestedItemDto, ListNestedItemsDto, UpdateNestedItemDto } from './dto/nested-item-input.dto.js';
import { NestedItemResponse } from './dto/nested-item.response.js';
import { NestedItemNotFound } from './nested-items.errors.js';
import { NestedItemsService } from './nested-items.service.js';

const SampleItemId = () => PathId(SampleItemNotFound, 'sampleItemId');

@ApiResource('Nested items')
@Controller('user/sample-items/:sampleItemId/nested-items')
export class NestedItemsController {
  constructor(private readonly nestedItems: NestedItemsService) {}

  @Get()
  @Endpoint({ summary: 'Nested items, newest first, paginated', page: NestedItemResponse })
  listNestedItems(
    @UserId() userId: number,
    @SampleItemId() sampleItemId: number,
    @Query() query: ListNestedItemsDto,
  ): Promise<Page<NestedItemResponse>> {
    return this.nestedItems.listNestedItems(userId, sampleItemId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Create one nested item',
    message: true,
    data: NestedItemResponse,
  })
  async createNestedItem(
    @UserId() userId: number,
    @SampleItemId() sampleItemId: number,
    @Body() dto: CreateNestedItemDto,
  ): Promise<MessageAndData<NestedItemResponse>> {
    return {
      message: 'Nested item created successfully',
      data: await this.nestedItems.createNestedItem(userId, sampleItemId, dto),
    };
  }

  @Get(':id')
  @Endpoint({ summary: 'One nested item', data: NestedItemResponse })
  async getNestedItem(
    @UserId() userId: number,
    @SampleItemId() sampleItemId: number,
    @PathId(NestedItemNotFound) id: number,
  ): Promise<DataResult<NestedItemResponse>> {
    return { data: await this.nestedItems.getNestedItem(userId, sampleItemId, id) };
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of one nested item',
    message: true,
    data: NestedItemResponse,
  })
  async updateNestedItem(
    @UserId() userId: number,
    @SampleItemId() sampleItemId: number,
    @PathId(NestedItemNotFound) id: number,
    @Body() dto: UpdateNestedItemDto,
  ): Promise<MessageAndData<NestedItemResponse>> {
    return {
      message: 'Nested item updated successfully',
      data: await this.nestedItems.updateNestedItem(userId, sampleItemId, id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Delete one nested item' })
  async deleteNestedItem(
    @UserId() userId: number,
    @SampleItemId() sampleItemId: number,
    @PathId(NestedItemNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.nestedItems.deleteNestedItem(userId, sampleItemId, id);
    return { message: 'Nested item deleted successfully' };
  }
}
