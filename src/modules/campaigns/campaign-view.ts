import type { Campaign } from './entities/campaign.entity.js';

/** What other modules may know of a campaign. */
export type CampaignView = Readonly<Omit<Campaign, 'deletedAt'>>;

/** The pause after the carrier took no calls. */
export type DialPause = Pick<CampaignView, 'carrierRefusals' | 'dialAfter'>;

export function toCampaignView({ deletedAt: _, ...view }: Campaign): CampaignView {
  return view;
}
