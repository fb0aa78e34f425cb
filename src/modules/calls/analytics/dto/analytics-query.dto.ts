import { EnumField, IdField } from '#src/common/validation/fields.js';
import { TextField } from '#src/common/validation/fields.js';
import { DayField, TimezoneField } from '#src/common/validation/text-fields.js';
import { ANALYTICS_GROUPS, type AnalyticsGroup } from '../call-statistics.js';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

export const METRICS = [
  'calls',
  'answered',
  'seconds',
  'cost',
  'average_duration',
  'response_p50',
  'response_p95',
  'success',
] as const;
export type Metric = (typeof METRICS)[number];

const ONE = `(${METRICS.join('|')})`;

class RangeDto {
  @DayField({ description: 'First day, of `timezone`.' })
  from: string;

  @DayField({
    description: 'Last day. At most 366 days, with groups 92; with `interval=hour` 31, with groups 7.',
  })
  to: string;

  @TimezoneField({ required: false, default: 'UTC', description: 'Time zone of the days, weeks and months.' })
  timezone?: string;

  @IdField({ required: false })
  campaign_id?: number;
}

export class CallAnalyticsDto extends RangeDto {
  @EnumField(INTERVALS, { required: false, default: 'day' })
  interval?: Interval;

  @EnumField(ANALYTICS_GROUPS, { required: false })
  group_by?: AnalyticsGroup;

  @TextField({
    required: false,
    max: 255,
    description: 'A field of evaluations, boolean or text, in place of `group_by`.',
    example: 'appointment_made',
  })
  variable?: string;

  @TextField({
    required: false,
    max: 200,
    pattern: new RegExp(`^${ONE}(,${ONE})*$`),
    default: 'calls',
    description: `Separated by commas: ${METRICS.map((metric) => `\`${metric}\``).join(', ')}.`,
    example: 'calls,answered',
  })
  metrics?: string;

  @IdField({ required: false, description: 'Not together with `campaign_id`, `group_by` or `variable`.' })
  assistant_id?: number;
}

export class AnswerRateDto extends RangeDto {}
