import { eventKind } from '#src/events/event-kind.js';

export interface CampaignFact {
  campaignId: number;
  accountId: number;
}

export const CampaignStarted = eventKind<CampaignFact>('campaign.started');
export const CampaignStopped = eventKind<CampaignFact>('campaign.stopped');
