import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import type { Page } from '#src/http/pagination/page.js';
import { CreateSampleItemDto, ListSampleItemsDto, UpdateSampleItemDto } from './dto/sample-item-input.dto.js';
import { SampleItemResponse } from './dto/sample-item.response.js';
import { SampleItemNotFound } from './sample-items.errors.js';
import { SampleItemsService } from './sample-items.service.js';

@ApiResource('Sample items')
@Controller('user/sample-items')
export class SampleItemsController {
  constructor(private readonly sampleItems: SampleItemsService) {}

  @Get()
  @Endpoint({ summary: 'Sample items, newest first, paginated', page: SampleItemResponse })
  listSampleItems(
    @UserId() userId: number,
    @Query() query: ListSampleItemsDto,
  ): Promise<Page<SampleItemResponse>> {
    return this.sampleItems.listSampleItems(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Create one sample item',
    message: true,
    data: SampleItemResponse,
  })
  async createSampleItem(
    @UserId() userId: number,
    @Body() dto: CreateSampleItemDto,
  ): Promise<MessageAndData<SampleItemResponse>> {
    return {
      message: 'Sample item created successfully',
      data: await this.sampleItems.createSampleItem(userId, dto),
    };
  }

  @Get(':id')
  @Endpoint({ summary: 'One sample item', data: SampleItemResponse })
  async getSampleItem(
    @UserId() userId: number,
    @PathId(SampleItemNotFound) id: number,
  ): Promise<DataResult<SampleItemResponse>> {
    return { data: await this.sampleItems.getSampleItem(userId, id) };
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of one sample item',
    message: true,
    data: SampleItemResponse,
  })
  async updateSampleItem(
    @UserId() userId: number,
    @PathId(SampleItemNotFound) id: number,
    @Body() dto: UpdateSampleItemDto,
  ): Promise<MessageAndData<SampleItemResponse>> {
    return {
      message: 'Sample item updated successfully',
      data: await this.sampleItems.updateSampleItem(userId, id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Delete one sample item' })
  async deleteSampleItem(
    @UserId() userId: number,
    @PathId(SampleItemNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.sampleItems.deleteSampleItem(userId, id);
    return { message: 'Sample item deleted successfully' };
  }
}
