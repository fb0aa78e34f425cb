import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export type CampaignPartName = 'leads' | 'calls';

export type CountByStatus = Record<string, number>;
export type CampaignStats = Record<CampaignPartName, CountByStatus>;

/** Something of another module that belongs to a campaign. */
export interface CampaignRelatedData {
  countByStatus(campaignId: number): Promise<CountByStatus>;
  /** In the transaction that deletes the campaign. Without it the part outlives the campaign. */
  removeFrom?(tx: EntityManager, campaignId: number): Promise<void>;
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

  async removeFrom(tx: EntityManager, campaignId: number): Promise<void> {
    for (const part of this.parts.values()) await part.removeFrom?.(tx, campaignId);
  }
}
