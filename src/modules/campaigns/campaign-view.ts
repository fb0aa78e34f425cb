import type { Campaign } from './entities/campaign.entity.js';

/** What other modules may know of a campaign. */
export type CampaignView = Readonly<Omit<Campaign, 'deletedAt'>>;

export function toCampaignView({ deletedAt: _, ...view }: Campaign): CampaignView {
  return view;
}
