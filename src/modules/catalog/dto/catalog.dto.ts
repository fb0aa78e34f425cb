import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { InvalidMessage } from '#src/http/api-validation.pipe.js';
import { EnumField, IdField, TextField } from '#src/common/validation/fields.js';

const MODEL_TYPES = ['llm', 'multimodal'] as const;

export type ModelType = (typeof MODEL_TYPES)[number];

@InvalidMessage(VALIDATION_FAILED)
export class ListModelsDto {
  @EnumField(MODEL_TYPES, {
    required: false,
    default: 'llm',
    description:
      '`llm`: models that every assistant can name. `multimodal`: those that only a multimodal one can.',
  })
  type: ModelType = 'llm';
}

@InvalidMessage(VALIDATION_FAILED)
export class ListVoicesDto {
  @TextField({
    required: false,
    max: 100,
    description: '`pipeline` or `multimodal`; no voice has another mode.',
    example: 'pipeline',
  })
  mode?: string;

  @IdField({ required: false, description: 'Voices that speak this language.' })
  language_id?: number;
}

@InvalidMessage(VALIDATION_FAILED)
export class ListProvidersDto {
  @IdField({ required: false, description: 'Providers that know this language.' })
  language_id?: number;
}
