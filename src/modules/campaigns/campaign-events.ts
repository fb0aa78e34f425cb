import { eventKind } from '#src/events/event-kind.js';

export const CampaignStarted = eventKind<{ campaignId: number }>('campaign.started');
export const CampaignStopped = eventKind<{ campaignId: number }>('campaign.stopped');
