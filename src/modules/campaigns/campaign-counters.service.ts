import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import {
  CampaignDataRegistryService,
  type CampaignPartName,
  type CounterAudit,
} from './campaign-data-registry.service.js';
import { Campaign } from './entities/campaign.entity.js';

export interface CounterDifference {
  campaign_id: number;
  part: CampaignPartName;
  /** The status or the type that is counted. */
  name: string;
  counted: number;
  stored: number;
}

/** More differences than anyone reads; of each part. */
const MOST = 1_000;

/** Compares the counters of campaigns with the rows that they count. */
@Injectable()
export class CampaignCountersService {
  constructor(
    private readonly db: DataSource,
    private readonly relatedData: CampaignDataRegistryService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Reads only; takes as long as counting all rows does.
   *
   * @param campaignId null: all campaigns, deleted ones too
   * @returns at most 1,000 differences of each part
   */
  async verifyCounters(campaignId: number | null): Promise<CounterDifference[]> {
    return this.inTransaction(async (tx) => {
      await tx.query('SET TRANSACTION READ ONLY');
      const found: CounterDifference[] = [];
      for (const [part, audit] of this.relatedData.listAudits()) {
        found.push(...(await this.compare(tx, part, audit, campaignId)));
      }
      return found;
    });
  }

  /** Counts anew what differs. While a campaign's part is counted, nobody writes to the tables of its rows. */
  async repairCounters(differences: readonly CounterDifference[]): Promise<void> {
    for (const [part, audit] of this.relatedData.listAudits()) {
      const wrong = differences.filter((difference) => difference.part === part);
      for (const campaignId of new Set(wrong.map(({ campaign_id }) => campaign_id))) {
        await this.inTransaction(async (tx) => {
          await tx.query(`LOCK TABLE ${audit.tables} IN SHARE MODE`);
          for (const sql of audit.rebuild) await tx.query(sql, [campaignId]);
          await this.recordRepair(tx, campaignId, part);
        });
      }
    }
  }

  private async recordRepair(tx: EntityManager, campaignId: number, part: CampaignPartName): Promise<void> {
    const campaign = await tx.findOne(Campaign, { where: { id: campaignId }, withDeleted: true });
    if (!campaign) return;
    const { accountId } = campaign;
    await this.audit.record(tx, {
      accountId,
      action: 'campaign.repair',
      resourceId: campaignId,
      details: { of: part },
    });
  }

  private compare(
    tx: EntityManager,
    part: CampaignPartName,
    { counted, stored }: CounterAudit,
    campaignId: number | null,
  ): Promise<CounterDifference[]> {
    return tx.query(
      `SELECT campaign_id, '${part}' AS part, name, coalesce(c.n, 0)::int AS counted, coalesce(s.n, 0)::int AS stored
         FROM (${counted}) c FULL JOIN (${stored}) s USING (campaign_id, name)
        WHERE coalesce(c.n, 0) <> coalesce(s.n, 0) ORDER BY campaign_id, name LIMIT ${MOST}`,
      [campaignId],
    );
  }

  /** Without the time limits of requests. */
  private inTransaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.db.transaction(async (tx) => {
      await tx.query('SET LOCAL statement_timeout = 0');
      await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      return work(tx);
    });
  }
}
