import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ImportReportResponse } from '#src/common/csv/import-report.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { AcceptsUpload } from '#src/http/multipart.js';
import { PathId } from '#src/http/path-id.js';
import type { Page } from '#src/http/pagination/page.js';
import { CreateSuppressionDto, ImportSuppressionsDto, ListSuppressionsDto } from './dto/suppression.dto.js';
import { SuppressionResponse } from './dto/suppression.response.js';
import { SuppressionImportService } from './suppression-import.service.js';
import { SuppressionNotFound } from './suppressions.errors.js';
import { MAX_LISTED, SuppressionsService } from './suppressions.service.js';

@ApiResource('Suppressions')
@Controller('user/suppressions')
export class SuppressionsController {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly suppressionImport: SuppressionImportService,
  ) {}

  @Get()
  @Endpoint({
    summary: `The newest ${MAX_LISTED} numbers that are never dialled, or one page of all`,
    listOrPage: SuppressionResponse,
  })
  listSuppressions(
    @UserId() userId: number,
    @Query() query: ListSuppressionsDto,
  ): Promise<SuppressionResponse[] | Page<SuppressionResponse>> {
    return this.suppressions.listSuppressions(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Never dial a number; repeating it changes nothing',
    message: true,
    data: SuppressionResponse,
  })
  async createSuppression(
    @UserId() userId: number,
    @Body() dto: CreateSuppressionDto,
  ): Promise<MessageAndData<SuppressionResponse>> {
    return {
      message: 'Suppression created successfully',
      data: await this.suppressions.createSuppression(userId, dto),
    };
  }

  @Post('import')
  @AcceptsUpload()
  @Endpoint({
    summary: 'Never dial the numbers of a CSV file, as many of its lines as are good',
    message: true,
    data: ImportReportResponse,
  })
  async importSuppressions(
    @UserId() userId: number,
    @Body() dto: ImportSuppressionsDto,
  ): Promise<MessageAndData<ImportReportResponse>> {
    return {
      message: 'Suppressions imported successfully',
      data: await this.suppressionImport.importSuppressions(userId, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Allow a number to be dialled again' })
  async deleteSuppression(
    @UserId() userId: number,
    @PathId(SuppressionNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.suppressions.deleteSuppression(userId, id);
    return { message: 'Suppression deleted successfully' };
  }
}
