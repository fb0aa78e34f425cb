import { Any, type EntityManager } from 'typeorm';
import { Campaign } from './entities/campaign.entity.js';

/** A campaign for other modules. */
export type CampaignView = Readonly<Omit<Campaign, 'deletedAt'>>;

function toCampaignView({ deletedAt: _, ...view }: Campaign): CampaignView {
  return view;
}

/** By id; those that were removed are absent. */
export async function campaignViews(
  tx: EntityManager,
  ids: readonly number[],
): Promise<Map<number, CampaignView>> {
  if (ids.length === 0) return new Map();
  const campaigns = await tx.findBy(Campaign, { id: Any([...new Set(ids)]) });
  return new Map(campaigns.map((campaign) => [campaign.id, toCampaignView(campaign)]));
}
