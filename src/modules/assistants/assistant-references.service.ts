import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Invalid, VALIDATION_FAILED, type FieldErrors } from '#src/common/errors/api-error.js';
import { fieldMessage, selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Catalog } from '../catalog/catalog.js';
import type { AssistantMode } from '../catalog/catalog.types.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { ToolResponse } from '../tools/dto/tool.response.js';
import { ToolsService } from '../tools/tools.service.js';
import { SETTINGS } from './assistant-settings.js';
import type { TransferNumber } from './assistant.types.js';
import type { UpdateAssistantDto } from './dto/assistant-input.dto.js';
import type { Assistant } from './entities/assistant.entity.js';
import { fillersOf } from './filler-phrases.js';
import { widgetErrors } from './widget-settings.js';

const WEBHOOK_URL_REQUIRED = 'The webhook url field is required when is webhook active is true.';

/** The values of a request, read but not validated yet. */
export interface AssistantInput {
  columns: Partial<Assistant>;
  /** Undefined: the attached tools stay. */
  toolIds: number[] | undefined;
  /** Fields that refer to something that does not exist or is not the user's. */
  unknown: string[];
  /** Of parts of fields. */
  errors: FieldErrors;
  modelMode: (llmModelId: number) => AssistantMode | undefined;
  speaks: (voiceId: number, languageId: number) => boolean;
}

type Spoken = Pick<Assistant, 'voiceId' | 'languageId'>;
type Checked = Spoken & Pick<Assistant, 'mode' | 'llmModelId' | 'isWebhookActive' | 'webhookUrl'>;

/**
 * Validates the assistant as it will be after the write: fields that are valid alone can conflict.
 * @param before null: a new one. Voice and language are judged where one of them changes.
 * @throws Invalid naming every field that is wrong.
 */
export function assertValid(input: AssistantInput, after: Checked, before: Spoken | null): void {
  const errors: FieldErrors = { ...input.errors };
  for (const field of input.unknown) errors[field] = [selectedInvalidMessage(field)];
  if (after.mode === 'pipeline' && input.modelMode(after.llmModelId) === 'multimodal') {
    errors.llm_model = [selectedInvalidMessage('llm_model')];
  }
  const isKnown = !input.unknown.includes('voice_id') && !input.unknown.includes('language');
  const changes =
    before === null || before.voiceId !== after.voiceId || before.languageId !== after.languageId;
  if (isKnown && changes && !input.speaks(after.voiceId, after.languageId)) {
    errors.voice_id = [selectedInvalidMessage('voice_id')];
  }
  if (after.isWebhookActive && after.webhookUrl === null) errors.webhook_url = [WEBHOOK_URL_REQUIRED];
  if (Object.keys(errors).length > 0) throw new Invalid(errors, VALIDATION_FAILED);
}

/**
 * The columns to write. Fillers that are as they are, or as the language has them, are not written: they were read
 * from an answer, and go on following the language.
 */
export function columnsToWrite(
  { columns }: Pick<AssistantInput, 'columns'>,
  before: Pick<Assistant, 'fillerConfig' | 'writtenFillers'> | null,
): Partial<Assistant> {
  const { writtenFillers, ...others } = columns;
  if (!writtenFillers) return columns;
  const known = [before?.writtenFillers ?? before?.fillerConfig, columns.fillerConfig];
  return known.some((fillers) => isDeepStrictEqual(fillers, writtenFillers)) ? others : columns;
}

/** Reads a request by the table of settings; what the request leaves out has no column. */
export function readSettings(
  dto: UpdateAssistantDto,
  catalog: Catalog,
): Pick<AssistantInput, 'columns' | 'unknown'> {
  const values: Record<string, unknown> = { ...dto };
  const read: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, setting] of SETTINGS) {
    const value = values[name];
    if (value === undefined || setting.property in read) continue;
    const stored = setting.find ? setting.find(value, catalog) : setting.read ? setting.read(value) : value;
    if (stored !== undefined) read[setting.property] = stored;
    else if (setting.find) unknown.push(name);
  }
  const columns: Partial<Assistant> = read;
  // Removing the URL also disables the webhook.
  if (columns.webhookUrl === null) columns.isWebhookActive ??= false;
  const language = columns.languageId && catalog.language(columns.languageId);
  // Those of the language; written ones count instead.
  if (language) columns.fillerConfig = fillersOf(language.iso2);
  return { columns, unknown };
}

/** Looks up what a request or an assistant refers to: voice, language, model, phone number, tools. */
@Injectable()
export class AssistantReferencesService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly tools: ToolsService,
    private readonly accounts: AccountsService,
  ) {}

  async readInput(userId: number, dto: UpdateAssistantDto): Promise<AssistantInput> {
    const toolIds = dto.tool_ids && [...new Set(dto.tool_ids)];
    const [catalog, hasNumber, hasTools] = await Promise.all([
      this.catalog.catalog(),
      this.hasNumber(userId, dto.phone_number_id),
      this.hasTools(userId, toolIds),
    ]);
    const { columns, unknown } = readSettings(dto, catalog);
    if (!hasNumber) unknown.push('phone_number_id');
    if (!hasTools) unknown.push('tool_ids');
    const errors = {
      ...(columns.widgetSettings && widgetErrors(columns.widgetSettings)),
      ...(await this.formatTransferNumbers(userId, columns.transferNumbers)),
    };
    return {
      columns,
      toolIds,
      unknown,
      errors,
      modelMode: (id) => catalog.model(id)?.mode,
      speaks: (voiceId, languageId) => catalog.speaks(voiceId, languageId),
    };
  }

  /** Turns the numbers of the list into E.164. @returns what is wrong with the others */
  private async formatTransferNumbers(userId: number, numbers: TransferNumber[] = []): Promise<FieldErrors> {
    const errors: FieldErrors = {};
    const format = this.accounts.numberFormatter(userId);
    for (const [index, number] of numbers.entries()) {
      const e164 = await format(number.phone_number);
      if (e164 !== null) number.phone_number = e164;
      else {
        const message = fieldMessage('phone_number', 'must be a valid phone number');
        errors[`transfer_numbers.${index}.phone_number`] = [message];
      }
    }
    return errors;
  }

  /** What the ids of a stored assistant stand for. */
  async findReferences({
    accountId,
    toolIds,
  }: Pick<Assistant, 'accountId' | 'toolIds'>): Promise<{ catalog: Catalog; tools: ToolResponse[] }> {
    const [catalog, tools] = await Promise.all([
      this.catalog.catalog(),
      this.tools.findTools(accountId, toolIds),
    ]);
    return { catalog, tools };
  }

  private async hasNumber(userId: number, id: number | null | undefined): Promise<boolean> {
    return !id || (await this.phoneNumbers.findPhoneNumber(userId, id)) !== null;
  }

  private async hasTools(userId: number, ids: number[] = []): Promise<boolean> {
    return (await this.tools.findTools(userId, ids)).length === ids.length;
  }
}
