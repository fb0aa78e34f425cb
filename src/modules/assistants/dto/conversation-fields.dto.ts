import {
  BooleanField,
  EnumField,
  IdField,
  IntegerField,
  NumberField,
  TextField,
} from '#src/common/validation/fields.js';
import { ListField, NestedField, VariablesField } from '#src/common/validation/object-fields.js';
import { ASSISTANT_DEFAULTS } from '../assistant-defaults.js';
import {
  EndCallTool,
  FillerConfigInput,
  KNOWLEDGEBASE_MODES,
  NO_KNOWLEDGEBASE,
  PostCallField,
  type KnowledgebaseMode,
} from '../assistant.types.js';
import { AssistantAfterCallFields } from './after-call-fields.dto.js';

/** Prompts, knowledge and evaluation of the assistant. */
export class AssistantConversationFields extends AssistantAfterCallFields {
  @BooleanField({
    description: 'Whether `min_interrupt_words` counts.',
    required: false,
    default: ASSISTANT_DEFAULTS.useMinInterruptWords,
  })
  use_min_interrupt_words?: boolean;

  @IntegerField({ min: 0, max: 10, required: false, default: ASSISTANT_DEFAULTS.minInterruptWords })
  min_interrupt_words?: number;

  @VariablesField({
    example: { customer_name: 'Ada' },
    required: false,
    default: ASSISTANT_DEFAULTS.variables,
  })
  variables?: Record<string, unknown>;

  @IdField({
    description: 'One of your knowledge bases, which the assistant answers from; null: none.',
    required: false,
    nullable: true,
  })
  knowledgebase_id?: number | null;

  @EnumField([...KNOWLEDGEBASE_MODES, NO_KNOWLEDGEBASE], {
    description:
      '`function_call`: the assistant searches the base; `prompt`: the whole text is in its prompt, up to 8,000 ' +
      'tokens, in pipeline mode. Answers show `none` without a base; in requests it changes nothing.',
    required: false,
    default: ASSISTANT_DEFAULTS.knowledgebaseMode,
  })
  knowledgebase_mode?: KnowledgebaseMode | typeof NO_KNOWLEDGEBASE;

  @ListField(() => PostCallField, { required: false, default: ASSISTANT_DEFAULTS.postCallSchema })
  post_call_schema?: PostCallField[];

  @NestedField(() => EndCallTool, {
    description: 'The end of the call as a decision of the AI; null removes its description.',
    required: false,
    nullable: true,
  })
  end_call_tool?: EndCallTool | null;

  @TextField({
    max: 500,
    description: 'The same as `description` in `end_call_tool`.',
    required: false,
    nullable: true,
  })
  'end_call_tool.description'?: string | null;

  @NumberField({ min: 0, max: 1, required: false, default: ASSISTANT_DEFAULTS.llmTemperature })
  llm_temperature?: number;

  @NumberField({ min: 0, max: 1, required: false, default: ASSISTANT_DEFAULTS.voiceStability })
  voice_stability?: number;

  @NumberField({ min: 0, max: 1, required: false, default: ASSISTANT_DEFAULTS.voiceSimilarity })
  voice_similarity?: number;

  @NumberField({ min: 0.7, max: 1.2, required: false, default: ASSISTANT_DEFAULTS.speechSpeed })
  speech_speed?: number;

  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.allowInterruptions })
  allow_interruptions?: boolean;

  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.fillerAudios })
  filler_audios?: boolean;

  @NestedField(() => FillerConfigInput, {
    description: 'What is said while the model works, by kind of utterance; null: phrases of the language.',
    required: false,
    nullable: true,
  })
  filler_config?: FillerConfigInput | null;
}
