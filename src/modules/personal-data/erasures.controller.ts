import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import type { Page } from '#src/http/pagination/page.js';
import { CreateErasureDto, ListPersonalDataJobsDto } from './dto/personal-data-input.dto.js';
import { ErasureResponse } from './dto/personal-data-job.response.js';
import { ErasuresService } from './erasures.service.js';
import { ErasureNotFound } from './personal-data.errors.js';

@ApiResource('Personal data')
@Controller('user/erasures')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Get()
  @Endpoint({ summary: 'Erasures, newest first, paginated', page: ErasureResponse, scope: 'admin' })
  listErasures(
    @UserId() userId: number,
    @Query() query: ListPersonalDataJobsDto,
  ): Promise<Page<ErasureResponse>> {
    return this.erasures.listErasures(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Erase the data of one person',
    description:
      'All that the account has of the number; running calls of it end first, and new ones are refused meanwhile. A number whose erasure has not ended gets that one.',
    status: 201,
    message: true,
    data: ErasureResponse,
    scope: 'admin',
  })
  async createErasure(
    @UserId() userId: number,
    @Body() dto: CreateErasureDto,
  ): Promise<MessageAndData<ErasureResponse>> {
    return {
      message: 'Erasure created successfully',
      data: await this.erasures.createErasure(userId, dto),
    };
  }

  @Get(':id')
  @Endpoint({ summary: 'One erasure', data: ErasureResponse, scope: 'admin' })
  async getErasure(
    @UserId() userId: number,
    @PathId(ErasureNotFound) id: number,
  ): Promise<DataResult<ErasureResponse>> {
    return { data: await this.erasures.getErasure(userId, id) };
  }
}
