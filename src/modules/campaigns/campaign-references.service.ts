import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { Invalid, type FieldErrors } from '#src/common/errors/api-error.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { UpdateCampaignDto } from './dto/campaign-input.dto.js';
import { CAMPAIGN_DEFAULTS } from './campaign.types.js';
import type { Campaign } from './entities/campaign.entity.js';

type References = Pick<UpdateCampaignDto, 'assistant_id' | 'phone_number_ids' | 'goal_completion_variable'>;

/**
 * Checks that a campaign's outbound assistant and numbers are the user's, and that its goal is evaluated; derives the
 * defaults of a new campaign from its assistant and the installation.
 */
@Injectable()
export class CampaignReferencesService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly numbers: PhoneNumbersService,
    private readonly settings: RuntimeSettings,
  ) {}

  toCampaignDefaults(assistant: AssistantView | null): Partial<Campaign> {
    return {
      ...CAMPAIGN_DEFAULTS,
      timezone: assistant?.timezone,
      quietHours: this.settings.calls.quietHoursDefault,
    };
  }

  /**
   * @param current the campaign's own values, where it exists
   * @returns the given assistant, else the current one; null: it was deleted
   * @throws Invalid
   */
  async assertReferences(
    userId: number,
    { assistant_id, phone_number_ids, goal_completion_variable }: References,
    current?: Pick<Campaign, 'assistantId' | 'goalCompletionVariable'>,
  ): Promise<AssistantView | null> {
    const errors: FieldErrors = {};
    const id = assistant_id ?? current?.assistantId;
    const assistant = id === undefined ? null : await this.assistants.assistantView(userId, id);
    if (assistant_id !== undefined && assistant?.type !== 'outbound') {
      errors.assistant_id = [selectedInvalidMessage('assistant_id')];
    }
    const isGoalToCheck = goal_completion_variable !== undefined || assistant_id !== undefined;
    const goal =
      goal_completion_variable === undefined ? current?.goalCompletionVariable : goal_completion_variable;
    if (isGoalToCheck && goal && assistant && !assistant.postCallSchema.some(({ name }) => name === goal)) {
      errors.goal_completion_variable = [selectedInvalidMessage('goal_completion_variable')];
    }
    const ids = new Set(phone_number_ids);
    if ((await this.numbers.findPhoneNumbers(userId, [...ids])).length < ids.size) {
      errors.phone_number_ids = [selectedInvalidMessage('phone_number_ids')];
    }
    if (Object.keys(errors).length > 0) throw new Invalid(errors);
    return assistant;
  }
}
