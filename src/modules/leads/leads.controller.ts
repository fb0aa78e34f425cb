import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { AcceptsUpload } from '#src/common/http/multipart.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { ApiArrayOrPage } from '#src/common/pagination/page.js';
import { CreateLeadDto, UpdateLeadDto } from './dto/lead-input.dto.js';
import { ImportLeadsDto, ImportReportResponse } from './dto/import-leads.dto.js';
import { LeadResponse } from './dto/lead.response.js';
import { ListLeadsDto } from './dto/list-leads.dto.js';
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
  ) {}

  @Get('leads')
  @ApiOperation({ operationId: 'listLeads', summary: 'All main leads, newest first, or one page of them' })
  @ApiArrayOrPage(LeadResponse)
  @ApiInvalid()
  list(@UserId() userId: number, @Query() query: ListLeadsDto) {
    return this.leadList.listLeads(userId, query);
  }

  @Post('lead')
  @HttpCode(200)
  @ResponseMessage('Lead created successfully')
  @ApiOperation({ operationId: 'createLead', summary: 'Create a lead with its secondary contacts' })
  @ApiData(ApiOkResponse, LeadResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateLeadDto) {
    return this.leads.createLead(userId, dto);
  }

  @Post('leads/import')
  @HttpCode(200)
  @AcceptsUpload()
  @ResponseMessage('Leads imported successfully')
  @ApiOperation({
    operationId: 'importLeads',
    summary: 'Create leads out of a CSV file, as many of its lines as are good',
  })
  @ApiData(ApiOkResponse, ImportReportResponse, { message: true })
  @ApiInvalid()
  import(@UserId() userId: number, @Body() dto: ImportLeadsDto) {
    return this.leadImport.importLeads(userId, dto);
  }

  @Get('leads/:id')
  @ApiPathId()
  @ResponseMessage()
  @ApiOperation({ operationId: 'getLead', summary: 'One lead or secondary contact' })
  @ApiData(ApiOkResponse, LeadResponse)
  @ApiNotFound('Lead not found')
  get(@UserId() userId: number, @PathId(LeadNotFound) id: number) {
    return this.leads.getLead(userId, id);
  }

  @Put('leads/:id')
  @ApiPathId()
  @ResponseMessage('Lead updated successfully')
  @ApiOperation({
    operationId: 'updateLead',
    summary: 'Update the given fields of a lead or a secondary contact',
  })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFound('Lead not found')
  @ApiInvalid()
  update(@UserId() userId: number, @PathId(LeadNotFound) id: number, @Body() dto: UpdateLeadDto) {
    return this.leadUpdates.updateLead(userId, id, dto);
  }

  @Delete('leads/:id')
  @ApiPathId()
  @ResponseMessage('Lead deleted successfully')
  @ApiOperation({
    operationId: 'deleteLead',
    summary: 'Delete a lead with its secondary contacts, or one contact',
  })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFound('Lead not found')
  delete(@UserId() userId: number, @PathId(LeadNotFound) id: number) {
    return this.leads.deleteLead(userId, id);
  }
}
