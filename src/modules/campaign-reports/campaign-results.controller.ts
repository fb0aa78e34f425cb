import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { CSV_RESPONSE } from '#src/common/csv/csv-stream.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import { PathId } from '#src/http/path-id.js';
import { CampaignNotFound } from '#src/modules/campaigns/campaigns.errors.js';
import { RecordsRead } from '../audit/records-read.decorator.js';
import { CampaignResultsService } from './campaign-results.service.js';
import { ExportCampaignDto } from './dto/export-campaign.dto.js';

@ApiResource('Campaigns')
@Controller('user/campaigns')
export class CampaignResultsController {
  constructor(private readonly results: CampaignResultsService) {}

  @Get(':id/export')
  @RecordsRead('campaign.export')
  @Endpoint({
    summary: 'Results of a campaign as a CSV file: its main leads, newest first, each with its last call',
    description:
      'With the filters of the list of leads. `total_cost` and `calls` count all calls of the lead.',
    stream: CSV_RESPONSE,
  })
  exportCampaign(
    @UserId() userId: number,
    @PathId(CampaignNotFound) id: number,
    @Query() query: ExportCampaignDto,
  ): Promise<StreamableFile> {
    return this.results.exportResults(userId, id, query);
  }
}
