/** Planted defect: a campaign postpones its leads outside their window one by one before it sleeps. */
import 'reflect-metadata';
import { LeadSelectionService } from '#src/modules/dialer/lead-selection.service.js';

const { findNextOpenings: nextOpenings } = LeadSelectionService.prototype;
LeadSelectionService.prototype.findNextOpenings = async function (tx, campaigns) {
  for (const { id } of campaigns)
    await tx.query('UPDATE leads SET due_at = now() WHERE campaign_id = $1', [id]);
  return nextOpenings.call(this, tx, campaigns);
};
