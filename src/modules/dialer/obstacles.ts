import { STOP_REASONS } from '../campaigns/campaign.types.js';

/** Why a campaign would place no call now. */
export const OBSTACLES = [
  'not_in_progress',
  ...STOP_REASONS,
  'carrier',
  'balance_held',
  'no_free_slot',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];
