import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import type { Page } from '#src/http/pagination/page.js';
import { CreateErasureDto, ListPersonalDataJobsDto } from './dto/personal-data-input.dto.js';
import { ErasureResponse, toErasureResponse } from './dto/personal-data-job.response.js';
import { ErasureNotFound } from './personal-data.errors.js';
import { PersonalDataService } from './personal-data.service.js';

const kind = 'erasure';

@ApiResource('Personal data')
@Controller('user/erasures')
export class ErasuresController {
  constructor(private readonly personalData: PersonalDataService) {}

  @Get()
  @Endpoint({ summary: 'Erasures, newest first, paginated', page: ErasureResponse, scope: 'admin' })
  async listErasures(
    @UserId() userId: number,
    @Query() query: ListPersonalDataJobsDto,
  ): Promise<Page<ErasureResponse>> {
    return (await this.personalData.listJobs(userId, kind, query)).map(toErasureResponse);
  }

  @Post()
  @Endpoint({
    summary: 'Erase the data of one person',
    description:
      'All that the account has of the number. Running calls of it end first, and new ones are refused meanwhile. A number whose erasure has not ended gets that one.',
    status: 201,
    message: true,
    data: ErasureResponse,
    scope: 'admin',
  })
  async createErasure(
    @UserId() userId: number,
    @Body() { phone_number, keep_suppressed: keepSuppressed = false }: CreateErasureDto,
  ): Promise<MessageAndData<ErasureResponse>> {
    const job = await this.personalData.createJob(userId, { kind, phone_number, keepSuppressed });
    return { message: 'Erasure created successfully', data: toErasureResponse(job) };
  }

  @Get(':id')
  @Endpoint({ summary: 'One erasure', data: ErasureResponse, scope: 'admin' })
  async getErasure(
    @UserId() userId: number,
    @PathId(ErasureNotFound) id: number,
  ): Promise<DataResult<ErasureResponse>> {
    const job = await this.personalData.findJob(userId, kind, id);
    if (!job) throw new ErasureNotFound();
    return { data: toErasureResponse(job) };
  }
}
