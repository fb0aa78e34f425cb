import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBadRequestResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { CampaignStatusService } from './campaign-status.service.js';
import { CampaignNotFound } from './campaigns.errors.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignDetailsResponse, CampaignResponse } from './dto/campaign.response.js';
import {
  CreateCampaignDto,
  UpdateCampaignDto,
  UpdateStatusDto,
  UpdateStatusResponse,
} from './dto/campaign-input.dto.js';

@ApiResource('Campaigns')
@Controller('user/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly campaignSwitch: CampaignStatusService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listCampaigns', summary: 'All campaigns, newest first' })
  @ApiOkResponse({ type: [CampaignResponse] })
  list(@UserId() userId: number) {
    return this.campaigns.listCampaigns(userId);
  }

  @Post()
  @ResponseMessage('Campaign created successfully')
  @ApiOperation({ operationId: 'createCampaign', summary: 'Create a campaign' })
  @ApiData(ApiCreatedResponse, CampaignResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateCampaignDto) {
    return this.campaigns.createCampaign(userId, dto);
  }

  @Post('update-status')
  @HttpCode(200)
  @ApiOperation({ operationId: 'updateCampaignStatus', summary: 'Start or stop a campaign' })
  @ApiOkResponse({ type: UpdateStatusResponse })
  @ApiBadRequestResponse({ type: UpdateStatusResponse, description: 'The campaign cannot be started now.' })
  @ApiNotFound('Campaign not found.')
  @ApiInvalid()
  updateStatus(@UserId() userId: number, @Body() dto: UpdateStatusDto) {
    return this.campaignSwitch.updateStatus(userId, dto);
  }

  @Get(':id')
  @ApiPathId()
  @ResponseMessage()
  @ApiOperation({
    operationId: 'getCampaign',
    summary: 'One campaign with the numbers of its leads and calls',
  })
  @ApiData(ApiOkResponse, CampaignDetailsResponse)
  @ApiNotFound('Campaign not found.')
  get(@UserId() userId: number, @PathId(CampaignNotFound) id: number) {
    return this.campaigns.getCampaign(userId, id);
  }

  @Put(':id')
  @ApiPathId()
  @ResponseMessage('Campaign updated successfully')
  @ApiOperation({ operationId: 'updateCampaign', summary: 'Update the given fields of a campaign' })
  @ApiData(ApiOkResponse, CampaignResponse, { message: true })
  @ApiNotFound('Campaign not found.')
  @ApiInvalid()
  update(@UserId() userId: number, @PathId(CampaignNotFound) id: number, @Body() dto: UpdateCampaignDto) {
    return this.campaigns.updateCampaign(userId, id, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @ResponseMessage('Campaign deleted successfully')
  @ApiOperation({ operationId: 'deleteCampaign', summary: 'Stop a campaign and delete it with its leads' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFound('Campaign not found.')
  delete(@UserId() userId: number, @PathId(CampaignNotFound) id: number) {
    return this.campaigns.deleteCampaign(userId, id);
  }
}

/** The singular paths, which some clients use. Operations of their own: an operation id must be unique. */
@ApiResource('Campaigns')
@Controller('user/campaign')
export class CampaignAliasController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Post()
  @ResponseMessage('Campaign created successfully')
  @ApiOperation({ operationId: 'createCampaignAlias', summary: 'The same as POST /user/campaigns' })
  @ApiData(ApiCreatedResponse, CampaignResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateCampaignDto) {
    return this.campaigns.createCampaign(userId, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @ResponseMessage('Campaign deleted successfully')
  @ApiOperation({ operationId: 'deleteCampaignAlias', summary: 'The same as DELETE /user/campaigns/{id}' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFound('Campaign not found.')
  delete(@UserId() userId: number, @PathId(CampaignNotFound) id: number) {
    return this.campaigns.deleteCampaign(userId, id);
  }
}
