import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { RequestKeyClaim } from '#src/http/idempotency/keyed-requests.js';
import type { ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { WithRouteConfig } from '#src/http/route-config.js';
import { PathId } from '#src/http/path-id.js';
import { ChangedFields } from '#src/http/changed-fields.decorator.js';
import { CampaignStatusService } from './campaign-status.service.js';
import { CampaignNotFound } from './campaigns.errors.js';
import { CampaignChangesService } from './campaign-changes.service.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignDetailsResponse, CampaignResponse } from './dto/campaign.response.js';
import {
  CreateCampaignDto,
  UpdateCampaignDto,
  UpdateStatusDto,
  ListCampaignsDto,
} from './dto/campaign-input.dto.js';
import { CampaignToSwitchNotFoundResponse, UpdateStatusResponse } from './dto/campaign-status.response.js';

@ApiResource('Campaigns')
@Controller('user/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly changes: CampaignChangesService,
    private readonly campaignStatus: CampaignStatusService,
  ) {}

  @Get()
  @Endpoint({ summary: 'All campaigns, newest first', body: [CampaignResponse] })
  listCampaigns(@UserId() userId: number, @Query() query: ListCampaignsDto): Promise<CampaignResponse[]> {
    return this.campaigns.listCampaigns(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Create a campaign',
    status: 201,
    message: true,
    data: CampaignResponse,
  })
  async createCampaign(
    @UserId() userId: number,
    @Body() dto: CreateCampaignDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<CampaignResponse>> {
    return {
      message: 'Campaign created successfully',
      data: await this.changes.createCampaign(userId, dto, key),
    };
  }

  @Post('update-status')
  // Before the release, to keep a campaign from going on after it.
  @WithRouteConfig({ allowedWhenRestored: true })
  @Endpoint({
    summary: 'Start or stop a campaign',
    scope: 'calls',
    body: UpdateStatusResponse,
    errors: [
      { status: 400, description: 'The campaign cannot be started now.', type: UpdateStatusResponse },
      { status: 404, description: 'Campaign not found.', type: CampaignToSwitchNotFoundResponse },
    ],
  })
  updateCampaignStatus(
    @UserId() userId: number,
    @Body() dto: UpdateStatusDto,
  ): Promise<UpdateStatusResponse> {
    return this.campaignStatus.updateStatus(userId, dto);
  }

  @Get(':id')
  @Endpoint({
    summary: 'One campaign with the numbers of its leads and calls',
    data: CampaignDetailsResponse,
  })
  async getCampaign(
    @UserId() userId: number,
    @PathId(CampaignNotFound) id: number,
  ): Promise<DataResult<CampaignDetailsResponse>> {
    return { data: await this.campaigns.getCampaign(userId, id) };
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of a campaign',
    message: true,
    data: CampaignResponse,
  })
  async updateCampaign(
    @UserId() userId: number,
    @PathId(CampaignNotFound) id: number,
    @ChangedFields(CampaignsService, 'getSettings') dto: UpdateCampaignDto,
  ): Promise<MessageAndData<CampaignResponse>> {
    return {
      message: 'Campaign updated successfully',
      data: await this.changes.updateCampaign(userId, id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Stop a campaign and delete it with its leads' })
  async deleteCampaign(
    @UserId() userId: number,
    @PathId(CampaignNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.changes.deleteCampaign(userId, id);
    return { message: 'Campaign deleted successfully' };
  }
}

/** The singular paths, which some clients use. Operations of their own: an operation id must be unique. */
@ApiResource('Campaigns')
@Controller('user/campaign')
export class CampaignAliasController {
  constructor(private readonly changes: CampaignChangesService) {}

  @Post()
  @Endpoint({
    summary: 'The same as POST /user/campaigns',
    status: 201,
    message: true,
    data: CampaignResponse,
  })
  async createCampaignAlias(
    @UserId() userId: number,
    @Body() dto: CreateCampaignDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<CampaignResponse>> {
    return {
      message: 'Campaign created successfully',
      data: await this.changes.createCampaign(userId, dto, key),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'The same as DELETE /user/campaigns/{id}' })
  async deleteCampaignAlias(
    @UserId() userId: number,
    @PathId(CampaignNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.changes.deleteCampaign(userId, id);
    return { message: 'Campaign deleted successfully' };
  }
}
