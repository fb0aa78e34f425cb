import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBadRequestResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/user-id.decorator.js';
import { ApiData, ApiInvalid, ApiMissing, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { Saying } from '#src/common/http/saying.js';
import { CampaignSwitch } from './campaign-switch.service.js';
import { CampaignNotFound } from './campaigns.errors.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignDetailsResponse, CampaignResponse } from './dto/campaign.response.js';
import { CreateCampaignDto } from './dto/create-campaign.dto.js';
import { UpdateCampaignDto } from './dto/update-campaign.dto.js';
import { UpdateStatusDto, UpdateStatusResponse } from './dto/update-status.dto.js';

@ApiResource('Campaigns')
@Controller('user/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly campaignSwitch: CampaignSwitch,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listCampaigns', summary: 'All campaigns, newest first' })
  @ApiOkResponse({ type: [CampaignResponse] })
  list(@UserId() userId: number) {
    return this.campaigns.list(userId);
  }

  @Post()
  @Saying('Campaign created successfully')
  @ApiOperation({ operationId: 'createCampaign', summary: 'Create a campaign' })
  @ApiData(ApiCreatedResponse, CampaignResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateCampaignDto) {
    return this.campaigns.create(userId, dto);
  }

  @Post('update-status')
  @HttpCode(200)
  @ApiOperation({ operationId: 'updateCampaignStatus', summary: 'Start or stop a campaign' })
  @ApiOkResponse({ type: UpdateStatusResponse })
  @ApiBadRequestResponse({ type: UpdateStatusResponse, description: 'The campaign cannot be started now.' })
  @ApiMissing('Campaign not found.')
  @ApiInvalid()
  updateStatus(@UserId() userId: number, @Body() dto: UpdateStatusDto) {
    return this.campaignSwitch.turn(userId, dto);
  }

  @Get(':id')
  @ApiPathId()
  @Saying()
  @ApiOperation({
    operationId: 'getCampaign',
    summary: 'One campaign with the numbers of its leads and calls',
  })
  @ApiData(ApiOkResponse, CampaignDetailsResponse)
  @ApiMissing('Campaign not found.')
  get(@UserId() userId: number, @PathId(CampaignNotFound) id: number) {
    return this.campaigns.get(userId, id);
  }

  @Put(':id')
  @ApiPathId()
  @Saying('Campaign updated successfully')
  @ApiOperation({ operationId: 'updateCampaign', summary: 'Update the given fields of a campaign' })
  @ApiData(ApiOkResponse, CampaignResponse, { message: true })
  @ApiMissing('Campaign not found.')
  @ApiInvalid()
  update(@UserId() userId: number, @PathId(CampaignNotFound) id: number, @Body() dto: UpdateCampaignDto) {
    return this.campaigns.update(userId, id, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @Saying('Campaign deleted successfully')
  @ApiOperation({ operationId: 'deleteCampaign', summary: 'Stop a campaign and delete it with its leads' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiMissing('Campaign not found.')
  delete(@UserId() userId: number, @PathId(CampaignNotFound) id: number) {
    return this.campaigns.delete(userId, id);
  }
}
