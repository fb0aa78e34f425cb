import { Invalid, VALIDATION_FAILED, type FieldErrors } from '#src/common/errors/api-error.js';
import { selectedInvalidMessage } from '#src/common/validation/field-messages.js';
import type { AssistantMode } from '../catalog/catalog.types.js';
import type { Assistant } from './entities/assistant.entity.js';

const WEBHOOK_URL_REQUIRED = 'The webhook url field is required when is webhook active is true.';

/** What a request makes of an assistant, read but not yet judged. */
export interface AssistantDraft {
  columns: Partial<Assistant>;
  /** Undefined: the attached tools stay. */
  toolIds: number[] | undefined;
  /** Fields of the request that name what the user cannot have. */
  unknown: string[];
  modelMode: (llmModelId: number) => AssistantMode | undefined;
}

type Judged = Pick<Assistant, 'mode' | 'llmModelId' | 'isWebhookActive' | 'webhookUrl'>;

/**
 * Judges the assistant as it will be, not the request: what is right alone can be wrong together.
 * @throws Invalid naming every field that is wrong.
 */
export function judge(draft: AssistantDraft, after: Judged): void {
  const errors: FieldErrors = {};
  for (const field of draft.unknown) errors[field] = [selectedInvalidMessage(field)];
  if (after.mode === 'pipeline' && draft.modelMode(after.llmModelId) === 'multimodal') {
    errors.llm_model = [selectedInvalidMessage('llm_model')];
  }
  if (after.isWebhookActive && after.webhookUrl === null) errors.webhook_url = [WEBHOOK_URL_REQUIRED];
  if (Object.keys(errors).length > 0) throw new Invalid(errors, VALIDATION_FAILED);
}
