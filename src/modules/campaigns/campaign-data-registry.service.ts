import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export type CampaignPartName = 'leads' | 'calls' | 'transfers' | 'actions';

export type RemovalResult = 'done' | 'more' | 'locked';

export type CountByStatus = Record<string, number>;
export type CampaignStats = Record<CampaignPartName, CountByStatus>;

/**
 * How to check counters that triggers keep. All SQL takes a campaign's id as `$1`; in `counted` and `stored` it may be
 * null, which means all campaigns.
 */
export interface CounterAudit {
  /** The tables that nobody may write to while the counters are made anew. */
  tables: string;
  /** Selects `campaign_id`, `name` and `n`: counted in the rows. */
  counted: string;
  /** The same, from the counters. */
  stored: string;
  /** Statements that make the counters of a campaign anew. */
  rebuild: readonly string[];
}

/** Provides the data of another module (leads, calls) that belongs to a campaign: counts, audits and removal. */
export interface CampaignDataProvider {
  countByStatus(userId: number, campaignId: number): Promise<CountByStatus>;
  /** The same of several campaigns, where lists show it. */
  countsByStatus?(campaignIds: readonly number[]): Promise<Map<number, CountByStatus>>;
  /** How to check the counters that `countByStatus` reads. */
  audit: CounterAudit;
  /** Those of the campaigns that have had this data and have none of it left to work on. */
  findFinished?(tx: EntityManager, campaignIds: readonly number[]): Promise<number[]>;
  /**
   * Called after the campaign was deleted, repeatedly: removes a batch and returns whether that was all, whether more
   * is left, or whether the rest is locked now. Data without this method is kept.
   */
  removeBatch?(campaignId: number): Promise<RemovalResult>;
}

export interface RunningCampaign {
  id: number;
  maxCallsInParallel: number;
  maxRetries: number;
  /** Minutes. */
  retryInterval: number;
}

/** Estimates when campaigns in progress will have ended; those without an estimate are absent. */
export type EndForecast = (
  accountId: number,
  campaigns: readonly RunningCampaign[],
) => Promise<Map<number, Date>>;

/** Registry for modules above `campaigns` (leads, calls), which register when they start. */
@Injectable()
export class CampaignDataRegistryService {
  private readonly parts = new Map<CampaignPartName, CampaignDataProvider>();
  private forecast: EndForecast = async () => new Map();

  register(name: CampaignPartName, part: CampaignDataProvider): void {
    this.parts.set(name, part);
  }

  registerForecast(forecast: EndForecast): void {
    this.forecast = forecast;
  }

  /** By campaign; no query without campaigns. */
  async estimateEnds(accountId: number, campaigns: readonly RunningCampaign[]): Promise<Map<number, Date>> {
    return campaigns.length === 0 ? new Map() : this.forecast(accountId, campaigns);
  }

  async countStats(userId: number, campaignId: number): Promise<CampaignStats> {
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

  /** Main leads by status. */
  async leadCounts(campaignIds: readonly number[]): Promise<Map<number, CountByStatus>> {
    return (await this.parts.get('leads')?.countsByStatus?.(campaignIds)) ?? new Map();
  }

  listAudits(): [CampaignPartName, CounterAudit][] {
    return [...this.parts].map(([name, { audit }]) => [name, audit]);
  }

  async findFinished(tx: EntityManager, campaignIds: readonly number[]): Promise<readonly number[]> {
    let finished = campaignIds;
    for (const part of this.parts.values()) {
      if (finished.length > 0) finished = (await part.findFinished?.(tx, finished)) ?? finished;
    }
    return finished;
  }

  async removeBatch(campaignId: number): Promise<RemovalResult> {
    for (const part of this.parts.values()) {
      const step = (await part.removeBatch?.(campaignId)) ?? 'done';
      if (step !== 'done') return step;
    }
    return 'done';
  }
}
