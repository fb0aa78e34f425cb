import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { InvalidMessage } from '#src/common/validation/api-validation.pipe.js';
import { EnumField } from '#src/common/validation/fields.js';
import { ASSISTANT_MODES, type AssistantMode } from '../catalog.types.js';

@InvalidMessage(VALIDATION_FAILED)
export class ListModelsDto {
  @EnumField(ASSISTANT_MODES, {
    required: false,
    default: 'pipeline',
    description:
      '`pipeline`: the LLM models, which every assistant can name. `multimodal`: those that only a multimodal one can.',
  })
  mode: AssistantMode = 'pipeline';
}
