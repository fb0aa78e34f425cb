import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export type CampaignPartName = 'leads' | 'calls' | 'transfers' | 'actions';

export type RemovalStep = 'done' | 'more' | 'locked';

export type CountByStatus = Record<string, number>;
export type CampaignStats = Record<CampaignPartName, CountByStatus>;

/** Data of another module that belongs to a campaign. */
export interface CampaignRelatedData {
  countByStatus(userId: number, campaignId: number): Promise<CountByStatus>;
  /** Whether the campaign has had this data and none of it is left to work on. */
  isFinished?(tx: EntityManager, campaignId: number): Promise<boolean>;
  /**
   * Called after the campaign was deleted, repeatedly: removes a batch and returns whether that was all, whether more
   * is left, or whether the rest is locked now. Data without this method is kept.
   */
  removeBatch?(campaignId: number): Promise<RemovalStep>;
}

/** Registry for modules above `campaigns` (leads, calls), which register when they start. */
@Injectable()
export class CampaignRelatedDataService {
  private readonly parts = new Map<CampaignPartName, CampaignRelatedData>();

  register(name: CampaignPartName, part: CampaignRelatedData): void {
    this.parts.set(name, part);
  }

  async stats(userId: number, campaignId: number): Promise<CampaignStats> {
    const count = async (name: CampaignPartName) =>
      (await this.parts.get(name)?.countByStatus(userId, campaignId)) ?? {};
    const [leads, calls, transfers, actions] = await Promise.all([
      count('leads'),
      count('calls'),
      count('transfers'),
      count('actions'),
    ]);
    return { leads, calls, transfers, actions };
  }

  async isFinished(tx: EntityManager, campaignId: number): Promise<boolean> {
    for (const part of this.parts.values()) {
      if ((await part.isFinished?.(tx, campaignId)) === false) return false;
    }
    return true;
  }

  async removeBatch(campaignId: number): Promise<RemovalStep> {
    for (const part of this.parts.values()) {
      const step = (await part.removeBatch?.(campaignId)) ?? 'done';
      if (step !== 'done') return step;
    }
    return 'done';
  }
}
