import { Body, Controller, Delete, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/user-id.decorator.js';
import { ApiData, ApiInvalid, ApiMissing, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { Saying } from '#src/common/http/saying.js';
import { CampaignNotFound } from './campaigns.errors.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignResponse } from './dto/campaign.response.js';
import { CreateCampaignDto } from './dto/create-campaign.dto.js';

/** The singular paths, which some clients use. Operations of their own: an operation id must be unique. */
@ApiResource('Campaigns')
@Controller('user/campaign')
export class CampaignAliasController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Post()
  @Saying('Campaign created successfully')
  @ApiOperation({ operationId: 'createCampaignAlias', summary: 'The same as POST /user/campaigns' })
  @ApiData(ApiCreatedResponse, CampaignResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateCampaignDto) {
    return this.campaigns.create(userId, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @Saying('Campaign deleted successfully')
  @ApiOperation({ operationId: 'deleteCampaignAlias', summary: 'The same as DELETE /user/campaigns/{id}' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiMissing('Campaign not found.')
  delete(@UserId() userId: number, @PathId(CampaignNotFound) id: number) {
    return this.campaigns.delete(userId, id);
  }
}
