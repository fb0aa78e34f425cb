import { Injectable } from '@nestjs/common';
import type { FieldErrors } from '#src/common/errors/api-error.js';
import type { ParsedNumber } from '#src/common/phone/phone.js';
import { NUMBER_RULES } from '#src/common/phone/written-number.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Catalog } from '../catalog/catalog.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { GroupsService } from '../groups/groups.service.js';
import { AssistantKnowledgeService, type BaseSize } from '../knowledge/assistant-knowledge.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { ToolResponse } from '../tools/dto/tool.response.js';
import { ToolsService } from '../tools/tools.service.js';
import { readSettings, type AssistantInput } from './assistant-input.js';
import type { TransferNumber } from './assistant.types.js';
import { readBuiltInTools } from './built-in-tools.js';
import type { UpdateAssistantDto } from './dto/assistant-input.dto.js';
import type { Assistant } from './entities/assistant.entity.js';
import { widgetErrors } from './widget-settings.js';

/**
 * Looks up what a request or an assistant refers to: voice, language, model, phone number, tools, folder, labels,
 * knowledge base.
 */
@Injectable()
export class AssistantReferencesService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly tools: ToolsService,
    private readonly accounts: AccountsService,
    private readonly groups: GroupsService,
    private readonly knowledge: AssistantKnowledgeService,
    private readonly settings: RuntimeSettings,
  ) {}

  /** @param assistantId null: a new one */
  async readInput(
    userId: number,
    dto: UpdateAssistantDto,
    assistantId: number | null,
  ): Promise<AssistantInput> {
    const toolIds = dto.tool_ids && [...new Set(dto.tool_ids)];
    const labelIds = dto.label_ids && [...new Set(dto.label_ids)];
    const [catalog, hasNumber, hasTools, hasFolder, hasLabels, base] = await Promise.all([
      this.catalog.getCatalog(),
      this.hasNumber(userId, dto.phone_number_id),
      this.hasTools(userId, toolIds),
      this.groups.ownsGroups(userId, 'folder', dto.folder_id ? [dto.folder_id] : []),
      this.groups.ownsGroups(userId, 'label', labelIds ?? []),
      this.findBase(userId, dto, assistantId),
    ]);
    const { values, unknown } = readSettings(dto, catalog);
    const only = <P extends 'widgetSettings' | 'transferNumbers'>(property: P) =>
      values.get(property)?.[0]?.value as Assistant[P] | undefined;
    const widgetSettings = only('widgetSettings');
    if (!hasNumber) unknown.push('phone_number_id');
    if (!hasTools) unknown.push('tool_ids');
    if (!hasFolder) unknown.push('folder_id');
    if (!hasLabels) unknown.push('label_ids');
    if (dto.knowledgebase_id && base === null) unknown.push('knowledgebase_id');
    const readNumber = this.accounts.createNumberParser(userId);
    const tools = dto.tools ? await readBuiltInTools(dto.tools, readNumber) : null;
    if (tools) values.set('builtInTools', [{ name: 'tools', value: tools.builtIn }]);
    const errors = {
      ...(widgetSettings && widgetErrors(widgetSettings)),
      ...(await formatTransferNumbers(readNumber, only('transferNumbers'))),
      ...tools?.errors,
    };
    const { ringTimeoutSeconds } = this.settings.calls;
    return {
      values,
      attached: { toolIds, labelIds },
      unknown,
      errors,
      knowledge: base,
      shownWith: { catalog, ringTimeoutSeconds },
    };
  }

  /** The resources of the ids of a stored assistant. */
  async findReferences({
    accountId,
    toolIds,
  }: Pick<Assistant, 'accountId' | 'toolIds'>): Promise<{ catalog: Catalog; tools: ToolResponse[] }> {
    const [catalog, tools] = await Promise.all([
      this.catalog.getCatalog(),
      this.tools.findTools(accountId, toolIds),
    ]);
    return { catalog, tools };
  }

  /** The base of the request, or the assistant's where its mode may change. */
  private async findBase(
    userId: number,
    { knowledgebase_id: id, knowledgebase_mode: mode }: UpdateAssistantDto,
    assistantId: number | null,
  ): Promise<BaseSize | null> {
    if (id) return this.knowledge.findBaseSize(userId, id);
    if (id === null || mode !== 'prompt' || assistantId === null) return null;
    return this.knowledge.findBaseSizeOfAssistant(userId, assistantId);
  }

  private async hasNumber(userId: number, id: number | null | undefined): Promise<boolean> {
    return !id || (await this.phoneNumbers.findPhoneNumber(userId, id)) !== null;
  }

  private async hasTools(userId: number, ids: number[] = []): Promise<boolean> {
    return (await this.tools.findTools(userId, ids)).length === ids.length;
  }
}

/** Turns the numbers of the list into E.164. @returns the errors of invalid ones */
async function formatTransferNumbers(
  readNumber: (input: string) => Promise<ParsedNumber>,
  numbers: TransferNumber[] = [],
): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const [index, number] of numbers.entries()) {
    const read = await readNumber(number.phone_number);
    if ('number' in read) number.phone_number = read.number;
    else {
      const message = fieldMessage('phone_number', NUMBER_RULES[read.fault]);
      errors[`transfer_numbers.${index}.phone_number`] = [message];
    }
  }
  return errors;
}
