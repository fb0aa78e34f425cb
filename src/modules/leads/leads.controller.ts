import { Body, Controller, Delete, Get, Post, Put, Query, type StreamableFile } from '@nestjs/common';
import { TokenHasScope, UserId } from '#src/auth/auth.decorators.js';
import { ImportReportResponse } from '#src/common/csv/import-report.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { AcceptsUpload } from '#src/http/multipart.js';
import { PathId } from '#src/http/path-id.js';
import { ChangedFields } from '#src/http/changed-fields.decorator.js';
import type { StreamedPage } from '#src/http/pagination/page.js';
import { CreateLeadDto, ScheduleLeadDto, UpdateLeadDto } from './dto/lead-input.dto.js';
import { ImportLeadsDto } from './dto/import-leads.dto.js';
import { LeadResponse } from './dto/lead.response.js';
import { ListLeadsDto } from './dto/list-leads.dto.js';
import { LeadAppointmentsService } from './lead-appointments.service.js';
import { LeadImportService } from './import/lead-import.service.js';
import { LeadListService } from './lead-list.service.js';
import { LeadUpdatesService } from './lead-updates.service.js';
import { LeadNotFound } from './leads.errors.js';
import { LeadsService } from './leads.service.js';

@ApiResource('Leads')
@Controller('user')
export class LeadsController {
  constructor(
    private readonly leads: LeadsService,
    private readonly leadList: LeadListService,
    private readonly leadUpdates: LeadUpdatesService,
    private readonly leadImport: LeadImportService,
    private readonly appointments: LeadAppointmentsService,
  ) {}

  // Some clients write the plural. Above the other routes of both paths: the first one is the documented one.
  @Post(['lead', 'leads'])
  @Endpoint({
    summary: 'Create a lead with its secondary contacts',
    message: true,
    data: LeadResponse,
  })
  async createLead(
    @UserId() userId: number,
    @Body() dto: CreateLeadDto,
    @TokenHasScope('calls') mayCall: boolean,
  ): Promise<MessageAndData<LeadResponse>> {
    return { message: 'Lead created successfully', data: await this.leads.createLead(userId, dto, mayCall) };
  }

  @Get('leads')
  @Endpoint({ summary: 'All main leads, newest first, or one page of them', listOrPage: LeadResponse })
  listLeads(@UserId() userId: number, @Query() query: ListLeadsDto): Promise<StreamableFile | StreamedPage> {
    return this.leadList.listLeads(userId, query);
  }

  @Post('leads/import')
  @AcceptsUpload()
  @Endpoint({
    summary: 'Create leads out of a CSV file, as many of its lines as are good',
    message: true,
    data: ImportReportResponse,
  })
  async importLeads(
    @UserId() userId: number,
    @Body() dto: ImportLeadsDto,
    @TokenHasScope('calls') mayCall: boolean,
  ): Promise<MessageAndData<ImportReportResponse>> {
    return {
      message: dto.dry_run ? 'File checked, no leads were imported' : 'Leads imported successfully',
      data: await this.leadImport.importLeads(userId, dto, mayCall),
    };
  }

  @Get('leads/:id')
  @Endpoint({ summary: 'One lead or secondary contact', data: LeadResponse })
  async getLead(
    @UserId() userId: number,
    @PathId(LeadNotFound) id: number,
  ): Promise<DataResult<LeadResponse>> {
    return { data: await this.leads.getLead(userId, id) };
  }

  @Put('leads/:id')
  @Endpoint({ summary: 'Update the given fields of a lead or a secondary contact' })
  async updateLead(
    @UserId() userId: number,
    @PathId(LeadNotFound) id: number,
    @ChangedFields(LeadsService, 'getLead') dto: UpdateLeadDto,
    @TokenHasScope('calls') mayCall: boolean,
  ): Promise<MessageResponse> {
    await this.leadUpdates.updateLead(userId, id, dto, mayCall);
    return { message: 'Lead updated successfully' };
  }

  @Post('leads/:id/schedule')
  @Endpoint({ summary: 'Call a lead at a moment; for a secondary contact its main lead is scheduled' })
  async scheduleLead(
    @UserId() userId: number,
    @PathId(LeadNotFound) id: number,
    @Body() dto: ScheduleLeadDto,
    @TokenHasScope('calls') mayCall: boolean,
  ): Promise<MessageResponse> {
    await this.appointments.scheduleLead(userId, id, dto, mayCall);
    return { message: 'Lead schedule updated successfully' };
  }

  @Delete('leads/:id')
  @Endpoint({ summary: 'Delete a lead with its secondary contacts, or one contact' })
  async deleteLead(@UserId() userId: number, @PathId(LeadNotFound) id: number): Promise<MessageResponse> {
    await this.leads.deleteLead(userId, id);
    return { message: 'Lead deleted successfully' };
  }
}

/** A path that some clients use. An operation of its own: an operation id must be unique. */
@ApiResource('Leads')
@Controller('leads')
export class LeadAliasController {
  constructor(private readonly leadUpdates: LeadUpdatesService) {}

  @Put(':id')
  @Endpoint({ summary: 'The same as PUT /user/leads/{id}' })
  async updateLeadAlias(
    @UserId() userId: number,
    @PathId(LeadNotFound) id: number,
    @ChangedFields(LeadsService, 'getLead') dto: UpdateLeadDto,
    @TokenHasScope('calls') mayCall: boolean,
  ): Promise<MessageResponse> {
    await this.leadUpdates.updateLead(userId, id, dto, mayCall);
    return { message: 'Lead updated successfully' };
  }
}
