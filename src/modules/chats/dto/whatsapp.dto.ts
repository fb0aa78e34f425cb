import { EnumField, IdField, PhoneField, TextField } from '#src/common/validation/fields.js';
import { VariablesField } from '#src/common/validation/object-fields.js';

const MAX_FREEFORM_CHARACTERS = 4_096;

const MAX_NAME_CHARACTERS = 255;

export class ListSendersDto {
  @EnumField(['online', 'all'], { required: false })
  status?: 'online' | 'all';
}

class RecipientDto {
  @IdField()
  sender_id: number;

  @PhoneField()
  recipient_phone: string;
}

export class SessionStatusDto extends RecipientDto {}

export class SendTemplateDto extends RecipientDto {
  @IdField()
  template_id: number;

  @TextField({ required: false, max: MAX_NAME_CHARACTERS })
  recipient_name?: string;

  @VariablesField({ required: false })
  variables?: Record<string, unknown>;
}

export class SendFreeformDto extends RecipientDto {
  @TextField({ max: MAX_FREEFORM_CHARACTERS })
  message: string;
}
