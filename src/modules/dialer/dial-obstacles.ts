import { STOP_REASONS } from '../campaigns/campaign.types.js';

/** Why a campaign would place no call now. */
export const DIAL_OBSTACLES = [
  'not_in_progress',
  ...STOP_REASONS,
  'carrier',
  'balance_held',
  'no_free_slot',
] as const;
export type DialObstacle = (typeof DIAL_OBSTACLES)[number];
