import { ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import { BooleanField, IntegerField } from '#src/common/validation/fields.js';

export const MAX_RETENTION_DAYS = 3650;

const DaysField = (description: string) =>
  IntegerField({ min: 1, max: MAX_RETENTION_DAYS, required: false, nullable: true, description });

/** How many days after their end contents are kept; null or absent: no rule. */
@ApiSchema({ name: 'AssistantRetentionDto' })
export class AssistantRetention {
  @DaysField('Days for recordings of calls, wherever they are stored.')
  recordings_days?: number | null;

  @DaysField(
    'Days for transcripts of calls, their turns, what tools were asked and answered, and live events.',
  )
  transcripts_days?: number | null;

  @DaysField('Days for the variables and the evaluation of calls.')
  variables_days?: number | null;

  @DaysField('Days for the messages, the variables and the evaluation of text conversations.')
  conversations_days?: number | null;

  @DaysField(
    'Days for finished webhook deliveries with their attempts. They are never kept longer than ' +
      '`WEBHOOK_RETENTION_DAYS`, nor than what they contain: transcripts, variables and conversations.',
  )
  deliveries_days?: number | null;

  @BooleanField({
    required: false,
    default: false,
    description:
      "Whether calls without a transcript keep only the last four digits of the customer's number. Numbers of " +
      'outbound calls are kept for 31 days at least: the limits of calls to one number count them.',
  })
  mask_numbers?: boolean;
}

/** Of an account: SMS belong to no assistant. */
export class AccountRetention extends AssistantRetention {
  @DaysField('Days for the bodies of SMS.')
  sms_days?: number | null;
}

export type StoredAssistantRetention = {
  [Name in keyof AssistantRetention]-?: Exclude<AssistantRetention[Name], undefined>;
};

const DAYS_SCHEMA = { type: 'integer', nullable: true } as const;

/** Written out: a reference cannot be nullable in OpenAPI 3.0. */
export const ASSISTANT_RETENTION_SCHEMA: ApiPropertyOptions = {
  type: 'object',
  required: [
    'recordings_days',
    'transcripts_days',
    'variables_days',
    'conversations_days',
    'deliveries_days',
    'mask_numbers',
  ],
  properties: {
    recordings_days: DAYS_SCHEMA,
    transcripts_days: DAYS_SCHEMA,
    variables_days: DAYS_SCHEMA,
    conversations_days: DAYS_SCHEMA,
    deliveries_days: DAYS_SCHEMA,
    mask_numbers: { type: 'boolean' },
  },
  selfRequired: true,
  nullable: true,
  description: 'Null: as the account.',
};

/** Every field with its value; null: none has one. */
export function readAssistantRetention(given: AssistantRetention | null): StoredAssistantRetention | null {
  if (given === null) return null;
  return {
    recordings_days: given.recordings_days ?? null,
    transcripts_days: given.transcripts_days ?? null,
    variables_days: given.variables_days ?? null,
    conversations_days: given.conversations_days ?? null,
    deliveries_days: given.deliveries_days ?? null,
    mask_numbers: given.mask_numbers ?? false,
  };
}
