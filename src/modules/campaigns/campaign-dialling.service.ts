import { Injectable } from '@nestjs/common';
import { Any, DataSource, type EntityManager } from 'typeorm';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { AuditService, SYSTEM } from '../audit/audit.service.js';
import { CampaignDataRegistryService } from './campaign-data-registry.service.js';
import { CampaignStopped, type StopReason } from './campaign.types.js';
import { campaignViews, type CampaignView } from './campaign-view.js';
import { Campaign } from './entities/campaign.entity.js';

/**
 * A slot that becomes free without an event, because its lease has expired, is found within this time; so is a spend
 * limit that was raised. With the hour the limits begin anew.
 */
const SLOT_CHECK_SECONDS = 60;

/** A campaign as the dialler has read it. */
type Seen = Pick<CampaignView, 'id' | 'updatedAt'>;
/** One that was changed since is due still. A Date has no microseconds. */
const IS_AS_SEEN = `campaigns.id = seen.id AND campaigns.updated_at
  BETWEEN seen.updated_at - interval '1 millisecond' AND seen.updated_at + interval '1 millisecond'`;

/**
 * Reads and writes the campaigns for the dialler, above all when those in progress are due. Only due campaigns are
 * read, so that any number of others costs nothing. Each step is one statement for all campaigns.
 */
@Injectable()
export class CampaignDiallingService {
  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
    private readonly relatedData: CampaignDataRegistryService,
    private readonly audit: AuditService,
  ) {}

  /** At most `limit` campaigns, round robin by account; of one account, the one that took no lead for longest first. */
  findDue(limit: number): Promise<JobRow[]> {
    return this.db.query(
      `SELECT id, account_id AS "accountId" FROM (
         SELECT id, account_id, dialled_at,
                row_number() OVER (PARTITION BY account_id ORDER BY dialled_at NULLS FIRST, id) AS turn
           FROM campaigns WHERE status = 'in-progress' AND deleted_at IS NULL AND wake_at <= now()) due
       ORDER BY turn, dialled_at NULLS FIRST, id LIMIT $1`,
      [limit],
    );
  }

  findViews(tx: EntityManager, ids: readonly number[]): Promise<Map<number, CampaignView>> {
    return campaignViews(tx, ids);
  }

  /** Stops a campaign in progress that cannot continue. The caller holds the account's lock. */
  async stopCampaign(
    tx: EntityManager,
    { id, accountId }: Pick<CampaignView, 'id' | 'accountId'>,
    reason: StopReason,
  ): Promise<void> {
    const { affected } = await tx.update(
      Campaign,
      { id, status: 'in-progress' },
      { status: 'stopped', stoppedReason: reason },
    );
    if (!affected) return;
    await this.events.publish(tx, CampaignStopped, { campaignId: id, accountId, reason });
    const details = { reason };
    await this.audit.record(tx, {
      accountId,
      action: 'campaign.stop',
      resourceId: id,
      details,
      actor: SYSTEM,
    });
  }

  /**
   * Completes those campaigns in progress that have had leads and have no open one left. The caller has locked them
   * against changes of leads (`campaignSleep`): later changes see the completed campaign.
   */
  async completeCampaigns(tx: EntityManager, ids: readonly number[]): Promise<void> {
    const finished = await this.relatedData.findFinished(tx, ids);
    if (finished.length === 0) return;
    await tx.update(
      Campaign,
      { id: Any([...finished]), status: 'in-progress' },
      { status: 'completed', completedAt: () => 'now()' },
    );
  }

  /**
   * Nothing happens to the campaigns until a slot of their account becomes free.
   *
   * @param isServed it took leads, and others have their turn before it
   */
  async markWaitingForSlots(
    tx: EntityManager,
    campaigns: readonly { campaign: Seen; isServed: boolean }[],
  ): Promise<void> {
    if (campaigns.length === 0) return;
    await tx.query(
      `UPDATE campaigns SET waits_for_slot = true, wake_at = least(now() + make_interval(secs => $4), date_trunc('hour', now(), 'UTC') + interval '1 hour'),
              dialled_at = CASE WHEN seen.is_served THEN now() ELSE dialled_at END
         FROM unnest($1::int[], $2::timestamptz[], $3::bool[]) AS seen (id, updated_at, is_served)
        WHERE ${IS_AS_SEEN}`,
      [
        campaigns.map(({ campaign }) => campaign.id),
        campaigns.map(({ campaign }) => campaign.updatedAt),
        campaigns.map(({ isServed }) => isServed),
        SLOT_CHECK_SECONDS,
      ],
    );
  }

  /**
   * The campaigns took leads and may take more at once, where the carrier allows it; others have their turn before
   * them.
   */
  async keepCampaignsDue(tx: EntityManager, campaigns: readonly Seen[]): Promise<void> {
    if (campaigns.length === 0) return;
    await tx.query(
      `UPDATE campaigns SET waits_for_slot = false, wake_at = least(wake_at, now()), dialled_at = now()
         FROM unnest($1::int[], $2::timestamptz[]) AS seen (id, updated_at) WHERE ${IS_AS_SEEN}`,
      [campaigns.map(({ id }) => id), campaigns.map(({ updatedAt }) => updatedAt)],
    );
  }

  /**
   * The campaigns had their turn, and sleep.
   *
   * @param campaigns `at` null: nothing but a change of a lead wakes it
   */
  async suspendUntil(
    tx: EntityManager,
    campaigns: readonly { campaign: Seen; at: Date | null }[],
  ): Promise<void> {
    await tx.query(
      `UPDATE campaigns SET waits_for_slot = false, dialled_at = now(), wake_at = coalesce(seen.at, 'infinity')
         FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) AS seen (id, updated_at, at)
        WHERE ${IS_AS_SEEN}`,
      [
        campaigns.map(({ campaign }) => campaign.id),
        campaigns.map(({ campaign }) => campaign.updatedAt),
        campaigns.map(({ at }) => at),
      ],
    );
  }
}
