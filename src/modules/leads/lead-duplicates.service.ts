import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { Lead } from './entities/lead.entity.js';
import { LeadNotFound } from './leads.errors.js';

/**
 * Of several main leads with one number in a campaign, one holds the number and the others are its duplicates.
 * What adds duplicates or lets a holder go holds the campaign alone, so that there is always a holder.
 */
@Injectable()
export class LeadDuplicatesService {
  constructor(private readonly campaigns: CampaignsService) {}

  /**
   * The lead for a change of its place: its campaign held alone, its row locked, in this order as everywhere.
   * @throws LeadNotFound
   */
  async lockForMove(tx: EntityManager, userId: number, id: number): Promise<Lead> {
    for (;;) {
      const seen = await tx.findOneBy(Lead, { id, accountId: userId });
      if (!seen) throw new LeadNotFound();
      const { campaignId } = seen;
      const place = { id, campaignId };
      if (await this.campaigns.lockCampaign(tx, userId, campaignId, 'alone')) {
        const lead = await tx.findOne(Lead, { where: place, lock: { mode: 'pessimistic_write' } });
        if (lead) return lead;
      } else if (await tx.existsBy(Lead, place)) {
        // Its campaign is deleted, its row not removed yet.
        throw new LeadNotFound();
      }
      // Somebody moved or deleted it before it was locked: look again.
    }
  }

  /** After a locked lead left its place: its oldest duplicate, if there is one, holds the number now. */
  async promoteNext(
    tx: EntityManager,
    { campaignId, phoneNumber, mainLeadId, isDuplicate }: Lead,
  ): Promise<void> {
    if (mainLeadId !== null || isDuplicate) return;
    await tx.query(
      `UPDATE leads SET is_duplicate = false
        WHERE id = (SELECT id FROM leads WHERE campaign_id = $1 AND phone_number = $2 AND is_duplicate
                     ORDER BY id LIMIT 1)`,
      [campaignId, phoneNumber],
    );
  }
}
