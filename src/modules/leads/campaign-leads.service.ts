import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import {
  CampaignRelatedDataService,
  type CampaignRelatedData,
  type CountByStatus,
} from '../campaigns/campaign-related-data.service.js';
import { Lead } from './entities/lead.entity.js';
import { LEAD_STATUSES } from './lead.types.js';

/** The leads as a part of their campaign. */
@Injectable()
export class CampaignLeadsService implements CampaignRelatedData, OnModuleInit {
  constructor(
    @InjectRepository(Lead) private readonly leads: Repository<Lead>,
    private readonly parts: CampaignRelatedDataService,
  ) {}

  onModuleInit(): void {
    this.parts.register('leads', this);
  }

  /** Main leads; a status that none has counts 0. */
  async countByStatus(campaignId: number): Promise<CountByStatus> {
    const rows: { status: string; count: number }[] = await this.leads.query(
      `SELECT status, count(*)::int AS count FROM leads WHERE campaign_id = $1 AND main_lead_id IS NULL GROUP BY status`,
      [campaignId],
    );
    const counts: CountByStatus = Object.fromEntries(LEAD_STATUSES.map((status) => [status, 0]));
    for (const { status, count } of rows) counts[status] = count;
    return counts;
  }

  async removeFrom(tx: EntityManager, campaignId: number): Promise<void> {
    await tx.delete(Lead, { campaignId });
  }
}
