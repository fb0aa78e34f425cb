import { pageQuery } from '#src/http/pagination/page.js';
import { CursorField } from '#src/http/pagination/cursor.js';
import { EnumField, IdOrUuidField, PhoneField, TextField } from '#src/common/validation/fields.js';
import { FreeObjectField } from '#src/common/validation/object-fields.js';
import {
  CHAT_TYPES,
  LISTED_CHAT_TYPES,
  MAX_IDENTIFIER_CHARACTERS,
  MAX_MESSAGE_CHARACTERS,
  type ChatType,
} from '../chat.types.js';

/** Anybody may begin a conversation: less than the API takes from users. */
const MAX_KILOBYTES = 16;

const AssistantField = (description: string) =>
  IdOrUuidField({ description, example: '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11' });

const ChatVariablesField = (description: string) =>
  FreeObjectField({
    required: false,
    maxKilobytes: MAX_KILOBYTES,
    mergesLists: true,
    description,
    example: { customer_name: 'Ada' },
  });

export class BeginChatDto {
  @AssistantField('The `uuid` of the assistant; with a token of its account also its id.')
  assistant_id: number | string;

  @EnumField(CHAT_TYPES, {
    required: false,
    default: 'widget',
    description:
      '`widget`: without a token from a page of one of the `allowed_origins` of the assistant; `api` and `test`: with a ' +
      'token only. With a token of its account none needs an origin or an enabled widget; `test` is free of charge, as often in 24 hours as the plan allows.',
  })
  type?: ChatType;

  @ChatVariablesField(
    "Laid over the assistant's variables; of visitors only those that `widget_settings.visitor_variables` lists.",
  )
  variables?: Record<string, unknown>;
}

export class GenerateReplyDto {
  @AssistantField('An assistant: its id or its uuid.')
  assistant_id: number | string;

  @TextField({
    max: MAX_IDENTIFIER_CHARACTERS,
    description: 'What you call the customer. Each has one conversation with the assistant at a time.',
    example: 'crm-4711',
  })
  customer_identifier: string;

  @TextField({ max: MAX_MESSAGE_CHARACTERS, description: "The customer's.", example: 'When do you open?' })
  message: string;

  @ChatVariablesField("Laid over the conversation's variables, which begin as the assistant's.")
  variables?: Record<string, unknown>;
}

export class ChatMessageDto {
  @TextField({ max: MAX_MESSAGE_CHARACTERS, example: 'When do you open?' })
  message: string;
}

const NO_NUMBERS = 'Only conversations of WhatsApp have one, of which there are none: nothing matches.';

export class ListChatsDto extends pageQuery() {
  @EnumField(LISTED_CHAT_TYPES, { required: false })
  type?: (typeof LISTED_CHAT_TYPES)[number];

  @IdOrUuidField({ required: false, description: 'An assistant: its id or its uuid.' })
  assistant_id?: number | string;

  @TextField({
    required: false,
    max: MAX_IDENTIFIER_CHARACTERS,
    description: 'The `customer_identifier` of `POST /user/ai/generate-reply`, as it is.',
  })
  external_identifier?: string;

  @PhoneField({ required: false, description: NO_NUMBERS })
  customer_phone?: string;

  @PhoneField({ required: false, description: NO_NUMBERS })
  whatsapp_sender_phone?: string;

  @CursorField()
  cursor?: string;
}
