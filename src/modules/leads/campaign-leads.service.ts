import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { toSqlList } from '#src/common/persistence/sql-list.js';
import {
  CampaignDataRegistryService,
  type CampaignDataProvider,
  type CounterAudit,
  type CountByStatus,
  type RemovalResult,
} from '../campaigns/campaign-data-registry.service.js';
import { Lead } from './entities/lead.entity.js';
import { LEAD_STATUSES, QUEUED_STATUSES } from './lead.types.js';

/** Main leads that one statement removes: short locks, short transactions. */
const REMOVAL_BATCH = 500;

const DAY = `(created_at AT TIME ZONE 'UTC')::date`;
const MAIN_LEADS = 'FROM leads WHERE main_lead_id IS NULL';
const OF_CAMPAIGN = '($1::int IS NULL OR campaign_id = $1)';

/** Main leads by status in `lead_counts`, and by status and day in `lead_day_counts`. */
const AUDIT: CounterAudit = {
  tables: 'leads',
  counted: `SELECT campaign_id, concat_ws(' ', status, ${DAY}) AS name, count(*) AS n ${MAIN_LEADS} AND ${OF_CAMPAIGN}
             GROUP BY GROUPING SETS ((campaign_id, status), (campaign_id, status, ${DAY}))`,
  stored: `SELECT campaign_id, status AS name, sum(n) AS n FROM lead_counts WHERE ${OF_CAMPAIGN} GROUP BY 1, 2
           UNION ALL SELECT campaign_id, concat_ws(' ', status, day), sum(n) FROM lead_day_counts WHERE ${OF_CAMPAIGN} GROUP BY 1, 2`,
  rebuild: [
    'DELETE FROM lead_counts WHERE campaign_id = $1',
    'DELETE FROM lead_day_counts WHERE campaign_id = $1',
    `INSERT INTO lead_counts (campaign_id, part, status, n)
     SELECT campaign_id, 0, status, count(*) ${MAIN_LEADS} AND campaign_id = $1 GROUP BY 1, 3`,
    `INSERT INTO lead_day_counts (campaign_id, day, part, status, n)
     SELECT campaign_id, ${DAY}, 0, status, count(*) ${MAIN_LEADS} AND campaign_id = $1 GROUP BY 1, 2, 4`,
  ],
};

const noLeads = (): CountByStatus => Object.fromEntries(LEAD_STATUSES.map((status) => [status, 0]));

/** Leads as related data of their campaign: statistics and removal. */
@Injectable()
export class CampaignLeadsService implements CampaignDataProvider, OnModuleInit {
  readonly audit = AUDIT;

  constructor(
    @InjectRepository(Lead) private readonly leads: Repository<Lead>,
    private readonly relatedData: CampaignDataRegistryService,
  ) {}

  onModuleInit(): void {
    this.relatedData.register('leads', this);
  }

  /** Number of main leads by status, 0 included. */
  async countByStatus(_userId: number, campaignId: number): Promise<CountByStatus> {
    return (await this.countsByStatus([campaignId])).get(campaignId) ?? {};
  }

  async countsByStatus(campaignIds: readonly number[]): Promise<Map<number, CountByStatus>> {
    const rows: { id: number; status: string; count: number }[] = await this.leads.query(
      'SELECT campaign_id AS id, status, sum(n)::int AS count FROM lead_counts WHERE campaign_id = ANY($1) GROUP BY 1, 2',
      [campaignIds],
    );
    const counts = new Map(campaignIds.map((id) => [id, noLeads()]));
    for (const { id, status, count } of rows) Object.assign(counts.get(id) ?? {}, { [status]: count });
    return counts;
  }

  /**
   * A row of `lead_counts` stays when the leads that it counted are deleted or moved. Leads whose time zone is not
   * known are never called.
   */
  async findFinished(tx: EntityManager, campaignIds: readonly number[]): Promise<number[]> {
    const rows: { id: number }[] = await tx.query(
      `SELECT id FROM unnest($1::int[]) AS campaign (id)
        WHERE EXISTS (SELECT 1 FROM lead_counts WHERE campaign_id = campaign.id)
          AND NOT EXISTS (SELECT 1 FROM leads
                           WHERE campaign_id = campaign.id AND main_lead_id IS NULL AND status = 'processing')
          AND NOT EXISTS (SELECT 1 FROM leads
                           WHERE campaign_id = campaign.id AND main_lead_id IS NULL
                             AND status IN ${toSqlList(QUEUED_STATUSES)}
                             AND (zone > '' OR zone IS NULL))`,
      [campaignIds],
    );
    return rows.map(({ id }) => id);
  }

  /** Contacts are removed with their main leads. Locked leads are left for the next batch. */
  async removeBatch(campaignId: number): Promise<RemovalResult> {
    const [, removed]: [unknown[], number] = await this.leads.query(
      `DELETE FROM leads WHERE id IN (
         SELECT id FROM leads WHERE campaign_id = $1 AND main_lead_id IS NULL LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [campaignId, REMOVAL_BATCH],
    );
    if (removed > 0) return 'more';
    return (await this.leads.existsBy({ campaignId, mainLeadId: IsNull() })) ? 'locked' : 'done';
  }
}
