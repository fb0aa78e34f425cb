import { EnumListField } from '#src/common/validation/enum-list-field.js';
import { BooleanField, IdField, IntegerField, TextField } from '#src/common/validation/fields.js';
import { IdListField } from '#src/common/validation/object-fields.js';
import { TimezoneField } from '#src/common/validation/timezone-field.js';
import { CAMPAIGN_DEFAULTS as DEFAULTS, WEEKDAYS, type Weekday } from '../campaign.types.js';

/** The default is told to readers of the OpenAPI document; the service sets it. */
const optional = <T>(value: T) => ({ required: false, default: value });

const TimeField = (value: string, description: string) =>
  TextField({
    ...optional(value),
    description,
    max: 5,
    pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
    example: value,
  });

export class CreateCampaignDto {
  @TextField({ max: 255, example: 'Spring offer' })
  name: string;

  @IdField({ description: 'One of your outbound assistants.' })
  assistant_id: number;

  @TimezoneField({ required: false, description: "Default: the assistant's.", example: 'Europe/Berlin' })
  timezone?: string;

  @IntegerField({ min: 1, max: 10, ...optional(DEFAULTS.maxCallsInParallel) })
  max_calls_in_parallel?: number;

  @TimeField(DEFAULTS.allowedHoursStartTime, '`HH:MM`, in the time zone of the lead.')
  allowed_hours_start_time?: string;

  @TimeField(DEFAULTS.allowedHoursEndTime, '`HH:MM`; before the start time: over midnight.')
  allowed_hours_end_time?: string;

  @EnumListField(WEEKDAYS, optional(DEFAULTS.allowedDays))
  allowed_days?: Weekday[];

  @IntegerField({
    min: 1,
    max: 5,
    ...optional(DEFAULTS.maxRetries),
    description: 'Calls to each number of a lead.',
  })
  max_retries?: number;

  @IntegerField({ min: 10, max: 4320, ...optional(DEFAULTS.retryInterval), description: 'Minutes.' })
  retry_interval?: number;

  @BooleanField({
    ...optional(DEFAULTS.retryOnVoicemail),
    description: 'Whether a machine counts as not reached.',
  })
  retry_on_voicemail?: boolean;

  @BooleanField(optional(DEFAULTS.retryOnGoalIncomplete))
  retry_on_goal_incomplete?: boolean;

  @TextField({
    ...optional(DEFAULTS.goalCompletionVariable),
    nullable: true,
    max: 255,
    pattern: /^[A-Za-z0-9_]+$/,
    description: 'Field of the post-call evaluation that says whether the goal was reached.',
    example: 'appointment_made',
  })
  goal_completion_variable?: string | null;

  @BooleanField(optional(DEFAULTS.markCompleteWhenNoLeads))
  mark_complete_when_no_leads?: boolean;

  @IdListField({
    ...optional(DEFAULTS.phoneNumberIds),
    description: "Your numbers to call from, in rotation. Empty: the assistant's, else your oldest one.",
  })
  phone_number_ids?: number[];
}
