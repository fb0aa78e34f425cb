import type { AssistantView } from '../assistants/assistant-view.js';
import { STOP_REASONS, type StopReason } from '../campaigns/campaign.types.js';

/** Why a campaign would place no call now. */
export const DIAL_OBSTACLES = [
  'not_in_progress',
  ...STOP_REASONS,
  'carrier',
  'balance_held',
  'spend_limit',
  'no_free_slot',
] as const;
export type DialObstacle = (typeof DIAL_OBSTACLES)[number];

/** Or why the campaign cannot dial at all. */
export function assistantOrStopReason(assistant: AssistantView | undefined): AssistantView | StopReason {
  if (!assistant) return 'assistant_deleted';
  return assistant.status === 'active' ? assistant : 'assistant_inactive';
}
