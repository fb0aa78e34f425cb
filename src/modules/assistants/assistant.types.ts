import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { EnumField, PhoneField, TextField } from '#src/common/validation/fields.js';
import { TextListField } from '#src/common/validation/text-fields.js';

export const ASSISTANT_TYPES = ['inbound', 'outbound'] as const;
export type AssistantType = (typeof ASSISTANT_TYPES)[number];

export const ASSISTANT_STATUSES = ['active', 'inactive'] as const;
export type AssistantStatus = (typeof ASSISTANT_STATUSES)[number];

/** The type in requests: an assistant that receives calls is an inbound one. */
export const CALLS_DIRECTIONS = ['receive', 'make'] as const;
export type CallsDirection = (typeof CALLS_DIRECTIONS)[number];
export const TYPE_OF_DIRECTION: Record<CallsDirection, AssistantType> = {
  receive: 'inbound',
  make: 'outbound',
};

export const FIRST_SPEAKERS = ['AI assistant', 'Customer'] as const;
export type FirstSpeaker = (typeof FIRST_SPEAKERS)[number];

/** How the end of the customer's turn is detected: by silence, or by a model that follows the words. */
/**
 * For which callers of an inbound call the account's leads are searched. `attested`: the network vouches for the
 * number.
 */
export const CALLER_ID_LOOKUPS = ['always', 'attested', 'never'] as const;
export type CallerIdLookup = (typeof CALLER_ID_LOOKUPS)[number];

export const ENDPOINT_TYPES = ['vad', 'ai'] as const;
export type EndpointType = (typeof ENDPOINT_TYPES)[number];

/** Sounds that can be mixed under the assistant's speech. */
export const AMBIENT_SOUNDS = ['off', 'office', 'call-center', 'cafe', 'street', 'home'] as const;
export type AmbientSound = (typeof AMBIENT_SOUNDS)[number];

/** Types of the values of evaluations. */
const POST_CALL_FIELD_TYPES = ['string', 'number', 'bool'] as const;
export type PostCallFieldType = (typeof POST_CALL_FIELD_TYPES)[number];

/** Functions of a call that requests can declare as `tools`. */
export const BUILT_IN_TOOLS = ['end_call', 'call_transfer', 'dtmf_input'] as const;
export type BuiltInToolType = (typeof BUILT_IN_TOOLS)[number];

/** As it is stored and shown. */
export class BuiltInTool {
  @ApiProperty({ enum: BUILT_IN_TOOLS }) type: BuiltInToolType;

  @ApiProperty({
    type: 'object',
    properties: {
      phone_number: {
        type: 'string',
        description: 'Of `call_transfer`: whom calls are handed over to, E.164.',
      },
      description: { type: 'string', description: 'When the assistant uses it.' },
    },
    additionalProperties: false,
  })
  data: { phone_number?: string; description?: string };
}

/** `post-call` receives every call, `inbound` inbound calls only, `conversation` text conversations. */
export type WebhookChannel = 'post-call' | 'inbound' | 'conversation';

/** Phrases spoken while the model works, in the assistant's language, by kind of utterance. */
@ApiSchema({ name: 'FillerConfigResponse' })
export class FillerConfig {
  @ApiProperty({ type: [String] }) neutral: string[];
  @ApiProperty({ type: [String] }) negative: string[];
  @ApiProperty({ type: [String] }) positive: string[];
  @ApiProperty({ type: [String] }) question: string[];
}

const FillersField = () =>
  TextListField({ max: 20, maxLength: 200, required: false, example: ['One moment.'] });

/** Fillers as a request writes them; a kind that is left out has none. */
@ApiSchema({ name: 'FillerConfigDto' })
export class FillerConfigInput {
  @FillersField() neutral?: string[];
  @FillersField() negative?: string[];
  @FillersField() positive?: string[];
  @FillersField() question?: string[];
}

/** Clients also write an item's keys as `post_call_schema[].name`; the plain spelling wins. */
const TakesPrefixedKey = (): PropertyDecorator =>
  Transform(
    ({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
      obj[key] ?? obj[`post_call_schema[].${key}`],
  );

/** A field of the evaluation after a call. */
@ApiSchema({ name: 'PostCallFieldDto' })
export class PostCallField {
  @TakesPrefixedKey()
  @TextField({
    max: 64,
    pattern: /^\w+$/,
    description: 'Letters, digits and underscores.',
    example: 'interested',
  })
  name: string;

  @TakesPrefixedKey()
  @EnumField(POST_CALL_FIELD_TYPES)
  type: PostCallFieldType;

  @TakesPrefixedKey()
  @TextField({ max: 1000, example: 'Whether the customer wants an offer' })
  description: string;
}

@ApiSchema({ name: 'EndCallToolDto' })
export class EndCallTool {
  @TextField({
    max: 500,
    required: false,
    nullable: true,
    description: 'When the assistant ends the call.',
    example: 'When the customer says goodbye.',
  })
  description?: string | null;
}

/** Whom the assistant can hand a call over to. */
@ApiSchema({ name: 'TransferNumberDto' })
export class TransferNumber {
  @TextField({ max: 100, example: 'Workshop' })
  name: string;

  @PhoneField({ description: 'Kept as E.164; a national number is read in your country.' })
  phone_number: string;

  @TextField({
    max: 500,
    required: false,
    description: 'When calls are handed over to it.',
    example: 'When the customer asks about a repair.',
  })
  description?: string;
}

/** How an assistant uses its knowledge base. */
export const KNOWLEDGEBASE_MODES = ['function_call', 'prompt'] as const;
export type KnowledgebaseMode = (typeof KNOWLEDGEBASE_MODES)[number];
/** The mode of an assistant without a base, in responses. */
export const NO_KNOWLEDGEBASE = 'none';
