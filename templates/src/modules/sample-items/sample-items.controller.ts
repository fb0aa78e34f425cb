import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PathId } from '#src/common/http/path-id.js';
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
  listSampleItems(@UserId() userId: number, @Query() query: ListSampleItemsDto) {
    return this.sampleItems.listSampleItems(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Create one sample item',
    message: 'Sample item created successfully',
    data: SampleItemResponse,
  })
  createSampleItem(@UserId() userId: number, @Body() dto: CreateSampleItemDto) {
    return this.sampleItems.createSampleItem(userId, dto);
  }

  @Get(':id')
  @Endpoint({ summary: 'One sample item', data: SampleItemResponse })
  getSampleItem(@UserId() userId: number, @PathId(SampleItemNotFound) id: number) {
    return this.sampleItems.getSampleItem(userId, id);
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of one sample item',
    message: 'Sample item updated successfully',
    data: SampleItemResponse,
  })
  updateSampleItem(
    @UserId() userId: number,
    @PathId(SampleItemNotFound) id: number,
    @Body() dto: UpdateSampleItemDto,
  ) {
    return this.sampleItems.updateSampleItem(userId, id, dto);
  }

  @Delete(':id')
  @Endpoint({ summary: 'Delete one sample item', message: 'Sample item deleted successfully' })
  deleteSampleItem(@UserId() userId: number, @PathId(SampleItemNotFound) id: number) {
    return this.sampleItems.deleteSampleItem(userId, id);
  }
}
