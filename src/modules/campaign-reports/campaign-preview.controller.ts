import { Controller, Get, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import { CampaignNotFound } from '#src/modules/campaigns/campaigns.errors.js';
import { CampaignPreviewService } from './campaign-preview.service.js';
import { CampaignPreviewResponse } from './dto/campaign-preview.response.js';
import { MAX_PREVIEW, PreviewCampaignDto } from './dto/campaign-preview.dto.js';

@ApiResource('Campaigns')
@Controller('user/campaigns')
export class CampaignPreviewController {
  constructor(private readonly preview: CampaignPreviewService) {}

  @Get(':id/preview')
  @Endpoint({
    summary: 'Which leads of a campaign would be called now, and why the others would not',
    description: `The next ${MAX_PREVIEW} leads; nothing is changed. The carrier's calls per second are not considered.`,
    data: CampaignPreviewResponse,
  })
  async previewCampaign(
    @UserId() userId: number,
    @PathId(CampaignNotFound) id: number,
    @Query() query: PreviewCampaignDto,
  ): Promise<DataResult<CampaignPreviewResponse>> {
    return { data: await this.preview.previewCampaign(userId, id, query) };
  }
}
