import { ApiError } from '#console/api/api-error';
import type { Schemas } from '#console/api/client';
import { t } from '#console/texts';
import type { CampaignValues } from './campaign-fields';
import { readWeek, toWindows, weekOf } from './week-hours';

const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];
const WORKDAYS = [0, 1, 2, 3, 4];

/** What a new campaign begins with. @param isSandbox nobody is woken up there */
export const newValues = (isSandbox: boolean, assistantId: string | null): CampaignValues => ({
  name: '',
  assistant_id: assistantId,
  timezone: null,
  windows: isSandbox ? weekOf(ALL_DAYS, 0, 24) : weekOf(WORKDAYS, 9, 18),
  strict_timezones: false,
  quiet_hours: false,
  max_calls_in_parallel: 3,
  max_retries: 3,
  retry_interval: 60,
  retry_on_voicemail: false,
  retry_on_goal_incomplete: false,
  goal_completion_variable: null,
  mark_complete_when_no_leads: true,
  phone_number_ids: [],
});

export const toValues = (campaign: Schemas['CampaignResponse']): CampaignValues => ({
  name: campaign.name,
  assistant_id: String(campaign.assistant_id),
  timezone: campaign.timezone,
  windows: readWeek(campaign),
  strict_timezones: campaign.strict_timezones,
  quiet_hours: campaign.quiet_hours === 'auto',
  max_calls_in_parallel: campaign.max_calls_in_parallel,
  max_retries: campaign.max_retries,
  retry_interval: campaign.retry_interval,
  retry_on_voicemail: campaign.retry_on_voicemail,
  retry_on_goal_incomplete: campaign.retry_on_goal_incomplete,
  goal_completion_variable: campaign.goal_completion_variable,
  mark_complete_when_no_leads: campaign.mark_complete_when_no_leads,
  phone_number_ids: campaign.phone_number_ids.map(String),
});

/** Without windows the API takes the whole week. @throws ApiError */
export function needHours({ windows }: Partial<CampaignValues>): void {
  if (windows?.every((spans) => spans.length === 0)) {
    throw new ApiError(422, t.campaigns.form.noHours, { windows: [t.campaigns.form.noHours] });
  }
}

/** As the API takes them; what is not given is left out. */
export function toBody(values: Partial<CampaignValues>): Record<string, unknown> {
  const {
    assistant_id,
    timezone,
    windows,
    quiet_hours,
    phone_number_ids,
    goal_completion_variable,
    ...same
  } = values;
  return {
    ...same,
    ...(assistant_id !== undefined && { assistant_id: Number(assistant_id) }),
    ...(timezone != null && timezone !== '' && { timezone }),
    ...(windows !== undefined && { windows: toWindows(windows) }),
    ...(quiet_hours !== undefined && { quiet_hours: quiet_hours ? 'auto' : 'none' }),
    ...(phone_number_ids !== undefined && { phone_number_ids: phone_number_ids.map(Number) }),
    ...(goal_completion_variable !== undefined && {
      goal_completion_variable: goal_completion_variable === '' ? null : goal_completion_variable,
    }),
  };
}
