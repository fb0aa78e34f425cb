import { ApiValidationPipe } from '#src/http/api-validation.pipe.js';
import { assertValidAssistant, selectChangedAssistant } from '#src/modules/assistants/assistant-input.js';
import { AssistantReferencesService } from '#src/modules/assistants/assistant-references.service.js';
import { ASSISTANT_DEFAULTS } from '#src/modules/assistants/assistant-defaults.js';
import {
  toAssistantView,
  toAssistantWebhooks,
  type AssistantView,
} from '#src/modules/assistants/assistant-view.js';
import type { AssistantsService } from '#src/modules/assistants/assistants.service.js';
import type { AssistantResponse } from '#src/modules/assistants/dto/assistant.response.js';
import { toAssistantResponse } from '#src/modules/assistants/show-assistant.js';
import { CreateAssistantDto } from '#src/modules/assistants/dto/assistant-input.dto.js';
import { Assistant } from '#src/modules/assistants/entities/assistant.entity.js';
import { partialFake } from '#src/common/partial.fake.js';
import { readNumber } from '#src/common/phone/phone.js';
import type { AccountsService } from '#src/modules/accounts/accounts.service.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { CatalogService } from '#src/modules/catalog/catalog.service.js';
import type { GroupsService } from '#src/modules/groups/groups.service.js';
import type { AssistantKnowledgeService } from '#src/modules/knowledge/assistant-knowledge.service.js';
import type { PhoneNumbersService } from '#src/modules/phone-numbers/phone-numbers.service.js';
import { CreateToolDto } from '#src/modules/tools/dto/tool-input.dto.js';
import { toToolResponse } from '#src/modules/tools/dto/tool.response.js';
import { Tool } from '#src/modules/tools/entities/tool.entity.js';
import type { ToolsService } from '#src/modules/tools/tools.service.js';
import { SHIPPED_CATALOGUE as catalog } from './shipped-catalogue.js';

export const ACCOUNT_ID = 1;
const DEFAULT_TOOL_TIMEOUT = 10;
const RING_TIMEOUT_SECONDS = 30;
const CREATED = new Date('2026-01-31T09:30:00Z');

/** The account's numbers; the assistant names one by its id. */
const NUMBERS = ['+14155550100', '+14155550200'].map((phoneNumber, index) => ({
  id: index + 1,
  accountId: ACCOUNT_ID,
  phoneNumber,
  subscriptionActive: true,
}));

export const phoneNumbers = {
  findPhoneNumber: async (_userId: number, id: number) => NUMBERS.find((number) => number.id === id) ?? null,
  findPhoneNumbers: async (_userId: number, ids: number[]) => NUMBERS.filter(({ id }) => ids.includes(id)),
  findOldestActive: async () => NUMBERS[0] ?? null,
  findByE164: async (e164: string) => NUMBERS.find(({ phoneNumber }) => phoneNumber === e164) ?? null,
} as unknown as PhoneNumbersService;

export interface ReadAssistant {
  view: AssistantView;
  response: AssistantResponse;
}

/**
 * The assistant that POST /user/assistant makes of this body, for an account with these tools; their ids count from 1.
 *
 * @throws Invalid what the API would answer with 422
 */
export async function readAssistant(
  body: Record<string, unknown>,
  toolBodies: Record<string, unknown>[],
): Promise<ReadAssistant> {
  const pipe = new ApiValidationPipe();
  const dto = await pipe.transform(body, { type: 'body', metatype: CreateAssistantDto });
  const tools = await Promise.all(toolBodies.map((tool, index) => readTool(pipe, tool, index + 1)));
  const toolsService = {
    findTools: async (_userId: number, ids: number[] = []) => tools.filter(({ id }) => ids.includes(id)),
  } as unknown as ToolsService;
  const accounts = {
    createNumberParser: () => async (input: string) => readNumber(input, 'US'),
  } as unknown as AccountsService;
  const noGroups = { ownsGroups: async () => true } as unknown as GroupsService;
  const catalogService = { getCatalog: async () => catalog } as unknown as CatalogService;
  const findBaseSize = async (_userId: number, id: number) => ({ id, tokens: 100 });
  const smallBase = partialFake<AssistantKnowledgeService>({ findBaseSize });
  const settings = { calls: { ringTimeoutSeconds: RING_TIMEOUT_SECONDS } } as RuntimeSettings;
  const references = new AssistantReferencesService(
    catalogService,
    phoneNumbers,
    toolsService,
    accounts,
    noGroups,
    smallBase,
    settings,
  );
  const draft = await references.readInput(ACCOUNT_ID, dto as CreateAssistantDto, null);
  const assistant = Object.assign(new Assistant(), ASSISTANT_DEFAULTS, selectChangedAssistant(draft, null), {
    id: 1,
    accountId: ACCOUNT_ID,
    createdAt: CREATED,
    updatedAt: CREATED,
    deletedAt: null,
    labelIds: [],
  });
  assertValidAssistant(draft, assistant, null);
  const attached = await toolsService.findTools(ACCOUNT_ID, draft.attached.toolIds ?? []);
  return {
    view: toAssistantView(assistant, catalog, attached),
    response: toAssistantResponse({ assistant, catalog, ringTimeoutSeconds: RING_TIMEOUT_SECONDS }, attached),
  };
}

async function readTool(pipe: ApiValidationPipe, body: Record<string, unknown>, id: number) {
  const dto = (await pipe.transform(body, { type: 'body', metatype: CreateToolDto })) as CreateToolDto;
  const { timeout = DEFAULT_TOOL_TIMEOUT, headers = [], schema = [], ...rest } = dto;
  return toToolResponse(
    Object.assign(new Tool(), rest, { id, timeout, headers, schema, createdAt: CREATED, updatedAt: CREATED }),
  );
}

/** As other modules see them: this one is the account's only assistant. */
export function assistantsOf(assistant: AssistantView): AssistantsService {
  const found = async () => assistant;
  return {
    assistantView: found,
    assistantOfCall: found,
    webhooksOf: async () => toAssistantWebhooks(assistant),
    findActiveInboundByNumber: async (e164: string) => {
      const number = await phoneNumbers.findByE164(e164);
      const answers = assistant.type === 'inbound' && assistant.phoneNumberId === number?.id;
      return answers ? assistant : null;
    },
  } as unknown as AssistantsService;
}
