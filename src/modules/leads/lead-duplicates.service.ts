import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { Lead } from './entities/lead.entity.js';
import { LeadNotFound } from './leads.errors.js';

/**
 * Of several main leads with one number in a campaign, one is the holder and the others are its duplicates. Adding
 * duplicates and removing a holder lock the campaign exclusively, so that there is always a holder.
 */
@Injectable()
export class LeadDuplicatesService {
  constructor(private readonly campaigns: CampaignsService) {}

  /**
   * Locks a lead for a change of campaign or number: first its campaign, exclusively, then its row.
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
        // The campaign is deleted, but the row is not removed yet.
        throw new LeadNotFound();
      }
      // The lead was moved or deleted before it was locked: read it again.
    }
  }

  /** Makes the oldest duplicate the holder after a locked lead was moved, renumbered or deleted. */
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
