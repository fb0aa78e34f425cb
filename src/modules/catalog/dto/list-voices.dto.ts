import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { InvalidMessage } from '#src/common/validation/api-validation.pipe.js';
import { EnumField, IdField } from '#src/common/validation/fields.js';
import { ASSISTANT_MODES, type AssistantMode } from '../catalog.types.js';

@InvalidMessage(VALIDATION_FAILED)
export class ListVoicesDto {
  @EnumField(ASSISTANT_MODES, { required: false })
  mode?: AssistantMode;

  @IdField({ required: false, description: 'Voices that speak this language.' })
  language_id?: number;
}
