import { Injectable } from '@nestjs/common';

export type CampaignPartName = 'leads' | 'calls';

export type RemovalStep = 'done' | 'more' | 'locked';

export type CountByStatus = Record<string, number>;
export type CampaignStats = Record<CampaignPartName, CountByStatus>;

/** Something of another module that belongs to a campaign. */
export interface CampaignRelatedData {
  countByStatus(campaignId: number): Promise<CountByStatus>;
  /**
   * After the campaign was deleted, until none is left: removes a batch and says whether that was all of it,
   * whether more is left, or whether what is left is locked now. Without it the part outlives the campaign.
   */
  removeBatch?(campaignId: number): Promise<RemovalStep>;
}

/** Leads and calls know campaigns, not the other way round: their modules register here when they start. */
@Injectable()
export class CampaignRelatedDataService {
  private readonly parts = new Map<CampaignPartName, CampaignRelatedData>();

  register(name: CampaignPartName, part: CampaignRelatedData): void {
    this.parts.set(name, part);
  }

  async stats(campaignId: number): Promise<CampaignStats> {
    const count = async (name: CampaignPartName) =>
      (await this.parts.get(name)?.countByStatus(campaignId)) ?? {};
    const [leads, calls] = await Promise.all([count('leads'), count('calls')]);
    return { leads, calls };
  }

  async removeBatch(campaignId: number): Promise<RemovalStep> {
    for (const part of this.parts.values()) {
      const step = (await part.removeBatch?.(campaignId)) ?? 'done';
      if (step !== 'done') return step;
    }
    return 'done';
  }
}
