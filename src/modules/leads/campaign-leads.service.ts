import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import {
  CampaignRelatedDataService,
  type CampaignRelatedData,
  type CountByStatus,
  type RemovalStep,
} from '../campaigns/campaign-related-data.service.js';
import { Lead } from './entities/lead.entity.js';
import { LEAD_STATUSES } from './lead.types.js';

/** Main leads that one statement removes: short locks, short transactions. */
const REMOVED_AT_ONCE = 500;

/** Leads as related data of their campaign: statistics and removal. */
@Injectable()
export class CampaignLeadsService implements CampaignRelatedData, OnModuleInit {
  constructor(
    @InjectRepository(Lead) private readonly leads: Repository<Lead>,
    private readonly relatedData: CampaignRelatedDataService,
  ) {}

  onModuleInit(): void {
    this.relatedData.register('leads', this);
  }

  /** Number of main leads by status, 0 included. */
  async countByStatus(userId: number, campaignId: number): Promise<CountByStatus> {
    const rows: { status: string; count: number }[] = await this.leads.query(
      `SELECT status, count(*)::int AS count FROM leads
        WHERE campaign_id = $1 AND account_id = $2 AND main_lead_id IS NULL GROUP BY status`,
      [campaignId, userId],
    );
    const counts: CountByStatus = Object.fromEntries(LEAD_STATUSES.map((status) => [status, 0]));
    for (const { status, count } of rows) counts[status] = count;
    return counts;
  }

  /** A row of `lead_counts` stays when the leads that it counted are deleted or moved. */
  async isFinished(tx: EntityManager, campaignId: number): Promise<boolean> {
    const [row]: [{ finished: boolean }] = await tx.query(
      `SELECT EXISTS (SELECT 1 FROM lead_counts WHERE campaign_id = $1) AND NOT EXISTS (
                SELECT 1 FROM leads WHERE campaign_id = $1 AND main_lead_id IS NULL
                   AND status IN ('created', 'scheduled', 'rescheduled', 'processing')) AS finished`,
      [campaignId],
    );
    return row.finished;
  }

  /** Contacts are removed with their main leads. Locked leads are left for the next batch. */
  async removeBatch(campaignId: number): Promise<RemovalStep> {
    const [, removed]: [unknown[], number] = await this.leads.query(
      `DELETE FROM leads WHERE id IN (
         SELECT id FROM leads WHERE campaign_id = $1 AND main_lead_id IS NULL LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [campaignId, REMOVED_AT_ONCE],
    );
    if (removed > 0) return 'more';
    return (await this.leads.existsBy({ campaignId, mainLeadId: IsNull() })) ? 'locked' : 'done';
  }
}
