import { EnumField, IdField, TextField } from '#src/common/validation/fields.js';
import { TimezoneField } from '#src/common/validation/text-fields.js';
import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import { ASSISTANT_DEFAULTS } from '../assistant-defaults.js';
import {
  CALLER_ID_LOOKUPS,
  CALLS_DIRECTIONS,
  type CallerIdLookup,
  type CallsDirection,
} from '../assistant.types.js';
import { AssistantResponseNames, NAME_LIMITS } from './response-names.dto.js';

/** Who the assistant is: its voice, language, model, texts and number. */
export class AssistantBasicFields extends AssistantResponseNames {
  @TextField({ ...NAME_LIMITS, example: 'Front desk', otherNames: ['name'] })
  assistant_name: string;

  @IdField({ description: 'Id of one of the voices that speak the language.', example: 1 })
  voice_id: number;

  @TextField({
    max: 100,
    description: 'Name of one of the languages. The customer can ask for another one that the voice speaks.',
    example: 'English',
    otherNames: ['language_id'],
  })
  language: string;

  @TextField({
    max: 100,
    description: 'Name of one of the models.',
    example: 'gpt-6-luna',
    otherNames: ['llm_model_id', 'multimodal_model_id'],
  })
  llm_model: string;

  @TextField({
    max: 100,
    description:
      'Name of one of the models of pipeline mode that answers when the first one fails or is slow; null: the ' +
      'service chooses.',
    example: 'gpt-5.6-luna',
    required: false,
    nullable: true,
  })
  llm_fallback_model?: string | null;

  @EnumField(CALLS_DIRECTIONS, {
    description: '`receive`: an inbound assistant, `make`: an outbound one.',
    otherNames: ['type'],
  })
  calls_direction: CallsDirection;

  @EnumField(ASSISTANT_MODES, { otherNames: ['mode'] })
  engine_type: AssistantMode;

  @TimezoneField({ example: 'Europe/Berlin' })
  timezone: string;

  @TextField({
    max: 5000,
    description: 'Spoken when the call starts.',
    example: 'Hello {customer_name}, how can I help you?',
  })
  initial_message: string;

  @TextField({
    max: 50_000,
    description: 'Behaviour and personality.',
    example: 'You are the friendly voice of a bicycle shop.',
  })
  system_prompt: string;

  @IdField({ description: 'One of your phone numbers.', required: false })
  phone_number_id?: number | null;

  @EnumField(CALLER_ID_LOOKUPS, { required: false, default: ASSISTANT_DEFAULTS.callerIdLookup })
  caller_id_lookup?: CallerIdLookup;
}
