import { Injectable, type StreamableFile } from '@nestjs/common';
import { csvStream, type CsvColumns } from '#src/common/csv/csv-stream.js';
import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/time.js';
import { CallsRepository, type LeadCallSummary } from '#src/modules/calls/calls.repository.js';
import { CampaignNotFound } from '#src/modules/campaigns/campaigns.errors.js';
import { CampaignsService } from '#src/modules/campaigns/campaigns.service.js';
import { LeadListService, type ExportedLead } from '#src/modules/leads/lead-list.service.js';
import type { ExportCampaignDto } from './dto/export-campaign.dto.js';

interface CampaignResult {
  lead: ExportedLead;
  last: LeadCallSummary | undefined;
}

const COLUMNS: CsvColumns<CampaignResult> = {
  lead_id: ({ lead }) => lead.id,
  phone_number: ({ lead }) => lead.phone_number,
  status: ({ lead }) => lead.status,
  attempts: ({ lead }) => lead.attempts,
  next_attempt_at: ({ lead }) => lead.next_attempt_at,
  last_outcome: ({ lead }) => lead.last_outcome,
  created_at: ({ lead }) => lead.created_at,
  calls: ({ last }) => last?.calls ?? 0,
  total_cost: ({ last }) => toAmount(last?.total_cost_micros ?? '0'),
  call_id: ({ last }) => last?.id ?? null,
  called_at: ({ last }) => (last ? toDateTime(last.created_at) : null),
  called_number: ({ last }) => last?.client_phone_number ?? null,
  outcome: ({ last }) => last?.status ?? null,
  answered_by: ({ last }) => last?.answered_by ?? null,
  ended_by: ({ last }) => last?.ended_by ?? null,
  ended_reason: ({ last }) => last?.ended_reason ?? null,
  duration: ({ last }) => last?.duration ?? null,
  evaluation: ({ last }) => last?.evaluation ?? null,
  variables: ({ lead }) => lead.variables,
};

/** The results of a campaign, for spreadsheets. */
@Injectable()
export class CampaignResultsService {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly leads: LeadListService,
    private readonly calls: CallsRepository,
  ) {}

  /** @throws CampaignNotFound */
  async exportResults(userId: number, id: number, query: ExportCampaignDto): Promise<StreamableFile> {
    if (!(await this.campaigns.ownsCampaign(userId, id))) throw new CampaignNotFound();
    return csvStream({
      name: `campaign-${id}.csv`,
      columns: COLUMNS,
      readRowsAfter: async (last: CampaignResult | null) => {
        const filter = { ...query, campaign_id: id };
        const leads = await this.leads.findAfter(userId, filter, last?.lead ?? null);
        const calls = await this.calls.findByLeads(
          id,
          leads.map((lead) => lead.id),
        );
        return leads.map((lead) => ({ lead, last: calls.get(lead.id) }));
      },
    });
  }
}
