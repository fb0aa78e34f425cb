import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ImportReportResponse } from '#src/common/csv/import-report.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { AcceptsUpload } from '#src/common/http/multipart.js';
import { PathId } from '#src/common/http/path-id.js';
import {
  CreateSuppressionDto,
  ImportSuppressionsDto,
  ListSuppressionsDto,
  SuppressionResponse,
} from './dto/suppression.dto.js';
import { SuppressionImportService } from './suppression-import.service.js';
import { SuppressionNotFound } from './suppressions.errors.js';
import { NEWEST, SuppressionsService } from './suppressions.service.js';

@ApiResource('Suppressions')
@Controller('user/suppressions')
export class SuppressionsController {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly suppressionImport: SuppressionImportService,
  ) {}

  @Get()
  @Endpoint({
    summary: `The newest ${NEWEST} numbers that are never dialled, or one page of all`,
    listOrPage: SuppressionResponse,
  })
  listSuppressions(@UserId() userId: number, @Query() query: ListSuppressionsDto) {
    return this.suppressions.listSuppressions(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Never dial a number; repeating it changes nothing',
    message: 'Suppression created successfully',
    data: SuppressionResponse,
  })
  createSuppression(@UserId() userId: number, @Body() dto: CreateSuppressionDto) {
    return this.suppressions.createSuppression(userId, dto);
  }

  @Post('import')
  @AcceptsUpload()
  @Endpoint({
    summary: 'Never dial the numbers of a CSV file, as many of its lines as are good',
    message: 'Suppressions imported successfully',
    data: ImportReportResponse,
  })
  importSuppressions(@UserId() userId: number, @Body() dto: ImportSuppressionsDto) {
    return this.suppressionImport.importSuppressions(userId, dto);
  }

  @Delete(':id')
  @Endpoint({ summary: 'Allow a number to be dialled again', message: 'Suppression deleted successfully' })
  deleteSuppression(@UserId() userId: number, @PathId(SuppressionNotFound) id: number) {
    return this.suppressions.deleteSuppression(userId, id);
  }
}
