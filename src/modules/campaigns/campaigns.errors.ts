import { ApiError, BadRequest, NotFound } from '#src/common/errors/api-error.js';
import type { CampaignStatus } from './campaign.types.js';

export class CampaignNotFound extends NotFound {
  constructor() {
    super('Campaign not found.');
  }
}

/** Every response of starting or stopping a campaign has `success`. */
export class CampaignToSwitchNotFound extends ApiError {
  constructor() {
    super(404, 'Campaign not found.', { success: false });
  }
}

/** Why a campaign cannot start. */
const START_OBSTACLES = {
  balance: 'Insufficient balance to start the campaign. Please top up your account.',
  noNumber: 'There is no phone number to call from.',
  notActive: 'The assistant is not active.',
  notOutbound: 'The assistant is not an outbound assistant.',
} as const;

export type StartObstacle = keyof typeof START_OBSTACLES;

export class CampaignCannotStart extends BadRequest {
  constructor(obstacle: StartObstacle, { id, status }: { id: number; status: CampaignStatus }) {
    super(START_OBSTACLES[obstacle], { success: false, data: { campaign_id: id, status } });
  }
}
