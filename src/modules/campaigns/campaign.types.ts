import { defineEvent } from '#src/events/event-type.js';

export const CAMPAIGN_STATUSES = ['draft', 'in-progress', 'stopped', 'completed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Why a campaign stops by itself. */
export const STOP_REASONS = [
  'balance',
  'assistant_inactive',
  'assistant_deleted',
  'no_phone_number',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const CAMPAIGN_ACTIONS = ['start', 'stop'] as const;
export type CampaignAction = (typeof CAMPAIGN_ACTIONS)[number];

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Hours of some days, in the time zone of the number. */
export interface CampaignWindow {
  days: Weekday[];
  /** `HH:MM`. The end is later and exclusive; `23:59` and `24:00` are the day's end. */
  start: string;
  end: string;
}

/** `auto`: the hours that the law of the number's country allows, where they are known, bound the window too. */
export const QUIET_HOURS = ['none', 'auto'] as const;
export type QuietHours = (typeof QUIET_HOURS)[number];

interface Move {
  readonly from: readonly CampaignStatus[];
  readonly to: CampaignStatus;
}

/** Statuses from which an action has an effect. */
const MOVES = {
  start: { from: ['draft', 'stopped', 'completed'], to: 'in-progress' },
  stop: { from: ['in-progress'], to: 'stopped' },
  complete: { from: ['in-progress'], to: 'completed' },
} as const satisfies Record<string, Move>;

/** The status after the action; null: unchanged. */
export function campaignStatusAfter(move: keyof typeof MOVES, status: CampaignStatus): CampaignStatus | null {
  const { from, to }: Move = MOVES[move];
  return from.includes(status) ? to : null;
}

/** Defaults of a new campaign, besides `timezone` and `quietHours` (`CampaignReferencesService.toCampaignDefaults`). */
export const CAMPAIGN_DEFAULTS = {
  maxCallsInParallel: 3,
  allowedHoursStartTime: '00:00',
  allowedHoursEndTime: '23:59',
  allowedDays: [...WEEKDAYS] as Weekday[],
  windows: [] as CampaignWindow[],
  strictTimezones: false,
  maxRetries: 3,
  retryInterval: 60,
  retryOnVoicemail: false,
  retryOnGoalIncomplete: false,
  goalCompletionVariable: null as string | null,
  markCompleteWhenNoLeads: true,
  phoneNumberIds: [] as number[],
};

export interface CampaignEventPayload {
  campaignId: number;
  accountId: number;
}

export const CampaignStarted = defineEvent<CampaignEventPayload>('campaign.started');
/** `reason`: null when a person stopped or deleted the campaign. */
export const CampaignStopped = defineEvent<CampaignEventPayload & { reason: StopReason | null }>(
  'campaign.stopped',
);
