import { EnumListField, TimezoneField } from '#src/common/validation/text-fields.js';
import { BooleanField, IdField, IntegerField, TextField, EnumField } from '#src/common/validation/fields.js';
import { IdListField, ListField } from '#src/common/validation/object-fields.js';
import { fieldRuleMessage } from '#src/common/validation/field-rules.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import {
  CAMPAIGN_DEFAULTS as DEFAULTS,
  QUIET_HOURS,
  WEEKDAYS,
  type Weekday,
  CAMPAIGN_ACTIONS,
  type CampaignAction,
  type QuietHours,
} from '../campaign.types.js';
import { ValidateBy, type ValidationArguments } from 'class-validator';

/** The default appears in the OpenAPI document; the service sets it. */
const optional = <T>(value: T) => ({ required: false, default: value });

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const END_TIME = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

const TimeField = (value: string, pattern: RegExp, description: string) =>
  TextField({ ...optional(value), description, max: 5, pattern, example: value });

const MAX_WINDOWS = 21;

/** Both are of the form `HH:MM`, so that text compares like time. */
const IsAfterStart = () =>
  ValidateBy({
    name: 'isAfterStart',
    validator: {
      validate: (end, args) => {
        const { start } = (args as ValidationArguments).object as CampaignWindowDto;
        return !TIME.test(start) || start < end;
      },
      defaultMessage: (args) => fieldRuleMessage('must be after start')(args as ValidationArguments),
    },
  });

class CampaignWindowDto {
  @EnumListField(WEEKDAYS, { example: ['monday', 'friday'] })
  days: Weekday[];

  @TextField({
    max: 5,
    pattern: TIME,
    example: '09:00',
    description: '`HH:MM`, in the time zone of the number.',
  })
  start: string;

  @IsAfterStart()
  @TextField({
    max: 5,
    pattern: END_TIME,
    example: '12:30',
    description: "`HH:MM`, after `start`, exclusive; `23:59` and `24:00`: the day's end.",
  })
  end: string;
}

export class CreateCampaignDto {
  @TextField({ max: 255, example: 'Spring offer' })
  name: string;

  @IdField({ description: 'One of your outbound assistants.' })
  assistant_id: number;

  @TimezoneField({ required: false, description: "Default: the assistant's.", example: 'Europe/Berlin' })
  timezone?: string;

  @IntegerField({ min: 1, max: 10, ...optional(DEFAULTS.maxCallsInParallel) })
  max_calls_in_parallel?: number;

  @TimeField(DEFAULTS.allowedHoursStartTime, TIME, '`HH:MM`, in the time zone of the lead.')
  allowed_hours_start_time?: string;

  @TimeField(
    DEFAULTS.allowedHoursEndTime,
    END_TIME,
    "`HH:MM`, exclusive; `23:59` and `24:00`: the day's end; before the start time: over midnight.",
  )
  allowed_hours_end_time?: string;

  @EnumListField(WEEKDAYS, optional(DEFAULTS.allowedDays))
  allowed_days?: Weekday[];

  @ListField(() => CampaignWindowDto, {
    ...optional(DEFAULTS.windows),
    max: MAX_WINDOWS,
    description:
      'Hours of some days. Not empty: they count in place of `allowed_hours_start_time`, `allowed_hours_end_time` and `allowed_days`, which are kept.',
  })
  windows?: CampaignWindowDto[];

  @BooleanField({
    ...optional(DEFAULTS.strictTimezones),
    description:
      "Whether the window must be open in all possible time zones of a number (toll-free and mobile numbers, some area codes), also where the campaign's is one of them.",
  })
  strict_timezones?: boolean;

  @EnumField(QUIET_HOURS, {
    required: false,
    description:
      "`auto`: calls are also bound by the hours that the law of the number's country allows for sales calls, where they are known (docs/use/calling-hours.md); `none`: only by the window. Default: the installation's (`QUIET_HOURS_DEFAULT`), `none`.",
  })
  quiet_hours?: QuietHours;

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
    description: "Field of the assistant's `post_call_schema` that says whether the goal was reached.",
    example: 'status',
  })
  goal_completion_variable?: string | null;

  @BooleanField(optional(DEFAULTS.markCompleteWhenNoLeads))
  mark_complete_when_no_leads?: boolean;

  @IdListField({
    ...optional(DEFAULTS.phoneNumberIds),
    description:
      "Your numbers to call from: the one a person was called from last, else one of the same area or country, the least used first. Empty: the assistant's, else your oldest one.",
  })
  phone_number_ids?: number[];
}

/** Absent keeps; null clears `goal_completion_variable` and is refused elsewhere; lists are replaced whole. */
export class UpdateCampaignDto extends UpdateType(CreateCampaignDto) {}

export class UpdateStatusDto {
  @IdField()
  campaign_id: number;

  @EnumField(CAMPAIGN_ACTIONS, { otherNames: ['status'] })
  action?: CampaignAction;

  @EnumField(CAMPAIGN_ACTIONS, {
    required: false,
    description: 'The same as `action`, which counts where both are given.',
  })
  status?: CampaignAction;
}

/** One of the two is given: validation requires it. */
export const requestedAction = ({ action, status }: UpdateStatusDto): CampaignAction =>
  (action ?? status) as CampaignAction;

export class ListCampaignsDto {
  @EnumField(['true', 'false'], {
    required: false,
    description: 'Whether each campaign has the number of its leads by status.',
  })
  counts?: 'true' | 'false';
}
