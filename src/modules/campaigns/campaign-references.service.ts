import { Injectable } from '@nestjs/common';
import { Invalid, type FieldErrors } from '#src/common/errors/api-error.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { UpdateCampaignDto } from './dto/campaign-input.dto.js';

/** Checks that a campaign's outbound assistant and numbers are the user's. */
@Injectable()
export class CampaignReferencesService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly numbers: PhoneNumbersService,
  ) {}

  /** @returns the given assistant; null when none was given. */
  async assertReferences(
    userId: number,
    { assistant_id, phone_number_ids }: UpdateCampaignDto,
  ): Promise<AssistantView | null> {
    const errors: FieldErrors = {};
    const assistant =
      assistant_id === undefined ? null : await this.assistants.assistantView(userId, assistant_id);
    if (assistant_id !== undefined && assistant?.type !== 'outbound') {
      errors.assistant_id = [selectedInvalidMessage('assistant_id')];
    }
    const ids = new Set(phone_number_ids);
    if ((await this.numbers.findPhoneNumbers(userId, [...ids])).length < ids.size) {
      errors.phone_number_ids = [selectedInvalidMessage('phone_number_ids')];
    }
    if (Object.keys(errors).length > 0) throw new Invalid(errors);
    return assistant;
  }
}
