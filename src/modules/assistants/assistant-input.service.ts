import { Invalid, VALIDATION_FAILED, type FieldErrors } from '#src/common/errors/api-error.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import type { AssistantMode } from '../catalog/catalog.types.js';
import type { Assistant } from './entities/assistant.entity.js';
import { Injectable } from '@nestjs/common';
import { CatalogService } from '../catalog/catalog.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { ToolsService } from '../tools/tools.service.js';
import { toColumns } from './assistant-settings.js';
import type { UpdateAssistantDto } from './dto/assistant-input.dto.js';
import { fillersOf } from './filler-phrases.js';

const WEBHOOK_URL_REQUIRED = 'The webhook url field is required when is webhook active is true.';

/** The values of a request, read but not validated yet. */
export interface AssistantInput {
  columns: Partial<Assistant>;
  /** Undefined: the attached tools stay. */
  toolIds: number[] | undefined;
  /** Fields that refer to something that does not exist or is not the user's. */
  unknown: string[];
  modelMode: (llmModelId: number) => AssistantMode | undefined;
}

type Judged = Pick<Assistant, 'mode' | 'llmModelId' | 'isWebhookActive' | 'webhookUrl'>;

/**
 * Validates the assistant as it will be after the write: fields that are valid alone can conflict.
 * @throws Invalid naming every field that is wrong.
 */
export function assertValid(draft: AssistantInput, after: Judged): void {
  const errors: FieldErrors = {};
  for (const field of draft.unknown) errors[field] = [selectedInvalidMessage(field)];
  if (after.mode === 'pipeline' && draft.modelMode(after.llmModelId) === 'multimodal') {
    errors.llm_model = [selectedInvalidMessage('llm_model')];
  }
  if (after.isWebhookActive && after.webhookUrl === null) errors.webhook_url = [WEBHOOK_URL_REQUIRED];
  if (Object.keys(errors).length > 0) throw new Invalid(errors, VALIDATION_FAILED);
}

/** Violations by concurrent requests, which only the database detects. */
const FIELD_OF: Record<string, string> = {
  assistants_inbound_number: 'phone_number_id',
  assistants_phone_number_id_fkey: 'phone_number_id',
  assistant_tools_tool_id_fkey: 'tool_ids',
};

/** Runs a write and turns a violated database constraint into an error of the field. */
export async function tellingConflicts<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const field = FIELD_OF[constraintOf(error) ?? ''];
    if (field) throw new Invalid({ [field]: [selectedInvalidMessage(field)] }, VALIDATION_FAILED);
    throw error;
  }
}

/** Name of the constraint that a database error is about. */
function constraintOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('driverError' in error)) return null;
  const { driverError } = error;
  if (typeof driverError !== 'object' || driverError === null || !('constraint' in driverError)) return null;
  return typeof driverError.constraint === 'string' ? driverError.constraint : null;
}

/** Looks up what a request names: voice, language, model, phone number, tools. */
@Injectable()
export class AssistantInputService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly tools: ToolsService,
  ) {}

  async readInput(userId: number, dto: UpdateAssistantDto): Promise<AssistantInput> {
    const toolIds = dto.tool_ids && [...new Set(dto.tool_ids)];
    const [catalog, hasNumber, hasTools] = await Promise.all([
      this.catalog.catalog(),
      this.hasNumber(userId, dto.phone_number_id),
      this.hasTools(userId, toolIds),
    ]);
    const columns = toColumns(dto);
    const unknown: string[] = [];
    if (dto.voice_id !== undefined) {
      if (catalog.voice(dto.voice_id)) columns.voiceId = dto.voice_id;
      else unknown.push('voice_id');
    }
    if (dto.language !== undefined) {
      const language = catalog.language(dto.language);
      // The fillers are not settable: they follow the language.
      if (language)
        Object.assign(columns, { languageId: language.id, fillerConfig: fillersOf(language.iso2) });
      else unknown.push('language');
    }
    if (dto.llm_model !== undefined) {
      const model = catalog.model(dto.llm_model);
      if (model) columns.llmModelId = model.id;
      else unknown.push('llm_model');
    }
    if (!hasNumber) unknown.push('phone_number_id');
    if (!hasTools) unknown.push('tool_ids');
    return { columns, toolIds, unknown, modelMode: (id) => catalog.model(id)?.mode };
  }

  private async hasNumber(userId: number, id: number | null | undefined): Promise<boolean> {
    return !id || (await this.phoneNumbers.findPhoneNumber(userId, id)) !== null;
  }

  private async hasTools(userId: number, ids: number[] = []): Promise<boolean> {
    return (await this.tools.findTools(userId, ids)).length === ids.length;
  }
}
