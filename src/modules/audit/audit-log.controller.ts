import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { CSV_RESPONSE } from '#src/common/csv/csv-stream.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { Page } from '#src/http/pagination/page.js';
import { AuditLogService } from './audit-log.service.js';
import { ExportAuditLogDto, ListAuditLogDto } from './dto/audit-log.dto.js';
import { AuditEntryResponse } from './dto/audit-log.response.js';
import { RecordsRead } from './records-read.decorator.js';

@ApiResource('Audit log')
@Controller('user/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @Endpoint({
    summary: 'Who did what to which resource, newest first, paginated',
    description:
      'Changes of resources, and reading of calls, recordings and exports; entries are neither changed nor deleted. Secrets, prompts and phone numbers of customers are never in it.',
    page: AuditEntryResponse,
    scope: 'admin',
  })
  listAuditLog(@UserId() userId: number, @Query() query: ListAuditLogDto): Promise<Page<AuditEntryResponse>> {
    return this.log.pageOfEntries(userId, query);
  }

  @Get('export')
  @RecordsRead('audit-log.export')
  @Endpoint({
    summary: 'The audit log as a CSV file, newest first, with the filters of the list',
    stream: CSV_RESPONSE,
    scope: 'admin',
  })
  exportAuditLog(@UserId() userId: number, @Query() query: ExportAuditLogDto): Promise<StreamableFile> {
    return this.log.exportEntries(userId, query);
  }
}
