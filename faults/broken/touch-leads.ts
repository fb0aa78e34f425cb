/** Planted defect: a campaign puts off its leads outside their window one by one before it sleeps. */
import 'reflect-metadata';
import { LeadSelectionService } from '#src/modules/dialer/lead-selection.service.js';

const { nextOpening } = LeadSelectionService.prototype;
LeadSelectionService.prototype.nextOpening = async function (tx, campaign) {
  await tx.query('UPDATE leads SET due_at = now() WHERE campaign_id = $1', [campaign.id]);
  return nextOpening.call(this, tx, campaign);
};
