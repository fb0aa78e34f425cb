import { Body, Controller, Get, Post, Query, type StreamableFile } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import type { Page } from '#src/http/pagination/page.js';
import { RecordsRead } from '../audit/records-read.decorator.js';
import { CreateExportDto, ListPersonalDataJobsDto } from './dto/personal-data-input.dto.js';
import { ExportResponse } from './dto/personal-data-job.response.js';
import { ArchiveService, ZIP_RESPONSE } from './export/archive.service.js';
import { ExportsService } from './exports.service.js';
import { ArchiveGone, ArchiveNotReady, ExportNotFound } from './personal-data.errors.js';

@ApiResource('Personal data')
@Controller('user/exports')
export class ExportsController {
  constructor(
    private readonly jobs: ExportsService,
    private readonly archives: ArchiveService,
  ) {}

  @Get()
  @Endpoint({ summary: 'Exports, newest first, paginated', page: ExportResponse, scope: 'admin' })
  listExports(
    @UserId() userId: number,
    @Query() query: ListPersonalDataJobsDto,
  ): Promise<Page<ExportResponse>> {
    return this.jobs.listExports(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Export the data of one person',
    description:
      'All that the account has of the number; the archive can be read for 24 hours. A number whose export has not ended gets that one.',
    status: 201,
    message: true,
    data: ExportResponse,
    scope: 'admin',
  })
  async createExport(
    @UserId() userId: number,
    @Body() dto: CreateExportDto,
  ): Promise<MessageAndData<ExportResponse>> {
    return {
      message: 'Export created successfully',
      data: await this.jobs.createExport(userId, dto),
    };
  }

  @Get(':id')
  @Endpoint({ summary: 'One export', data: ExportResponse, scope: 'admin' })
  async getExport(
    @UserId() userId: number,
    @PathId(ExportNotFound) id: number,
  ): Promise<DataResult<ExportResponse>> {
    return { data: await this.jobs.getExport(userId, id) };
  }

  @Get(':id/archive')
  @RecordsRead('export.read')
  @Endpoint({
    summary: 'The archive of an export: JSON and recordings in a ZIP file',
    stream: ZIP_RESPONSE,
    scope: 'admin',
    errors: [ArchiveNotReady, ArchiveGone],
  })
  getExportArchive(@UserId() userId: number, @PathId(ExportNotFound) id: number): Promise<StreamableFile> {
    return this.archives.openArchive(userId, id);
  }
}
