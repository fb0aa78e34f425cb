import { isDeepStrictEqual } from 'node:util';
import { Invalid, VALIDATION_FAILED, type FieldErrors } from '#src/common/errors/api-error.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import type { Catalog } from '../catalog/catalog.js';
import { MAX_PROMPT_TOKENS, type BaseSize } from '../knowledge/assistant-knowledge.service.js';
import type { AssistantMode } from '../catalog/catalog.types.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
import { isPlainAlias, RESPONSE_NAME_ENTRIES, SETTING_ENTRIES } from './assistant-settings.js';
import type { UpdateAssistantDto } from './dto/assistant-input.dto.js';
import type { Assistant } from './entities/assistant.entity.js';
import { defaultFillers } from './filler-phrases.js';
import type { SettingRenderContext } from './setting.types.js';

const WEBHOOK_URL_REQUIRED = 'The webhook url field is required when is webhook active is true.';

const REDACTION_OF_AUDIO =
  'The redaction model is not available for multimodal assistants, whose model hears the customer. Use store.';

/** The values that a request gives for each property, under their names, those of the specification first. */
export type RequestedValues = Map<keyof Assistant, RequestedValue[]>;

interface RequestedValue {
  name: string;
  value: unknown;
}

/** Ids of the assistant's new tools and labels, none twice; undefined: unchanged. */
export interface AttachedIds {
  toolIds: number[] | undefined;
  labelIds: number[] | undefined;
}

/** The values of a request, read but not validated yet. */
export interface AssistantInput {
  values: RequestedValues;
  attached: AttachedIds;
  /** Fields that refer to something that does not exist or is not the user's. */
  unknown: string[];
  /** Of parts of fields. */
  errors: FieldErrors;
  /** The knowledge base that the assistant gets or may have; null: none of both. */
  knowledge: BaseSize | null;
  shownWith: Omit<SettingRenderContext, 'assistant'>;
}

/** Every name that requests may use, in the order in which they count. */
const REQUEST_NAMES = SETTING_ENTRIES.flatMap(([ownName, setting]) => {
  const others = RESPONSE_NAME_ENTRIES.filter(([, { of }]) => of === ownName).map(
    ([name, other]) => [name, isPlainAlias(other) ? setting : other] as const,
  );
  return [[ownName, setting] as const, ...others].map(([name, { find, read }]) => ({
    name,
    find,
    read,
    property: setting.property,
    // Null under a response's name is no value of a setting that is never null.
    skipsNull: !(setting.property in ASSISTANT_DEFAULTS),
  }));
});

/** Reads a request by the table of settings; what the request leaves out has no value. */
export function readSettings(
  dto: UpdateAssistantDto,
  catalog: Catalog,
): Pick<AssistantInput, 'values' | 'unknown'> {
  const request = dto as Record<string, unknown>;
  const values: RequestedValues = new Map();
  const unknown: string[] = [];
  for (const { name, property, skipsNull, find, read } of REQUEST_NAMES) {
    const given = request[name];
    if (given === undefined || (given === null && skipsNull)) continue;
    const value = find ? find(given, catalog) : read ? read(given) : given;
    if (value === undefined) {
      if (find) unknown.push(name);
      continue;
    }
    const known = values.get(property);
    if (known) known.push({ name, value });
    else values.set(property, [{ name, value }]);
  }
  return { values, unknown };
}

/** How answers show the properties that they do not show as they are stored. */
const RENDERED = new Map(
  SETTING_ENTRIES.flatMap(([, { property, render, response }]) =>
    render && response !== null ? [[property, render] as const] : [],
  ),
);

/**
 * The columns that an update changes, or that a creation (`before` null) sets. A value that is stored, or that is
 * shown for what is stored, is no change: clients write back what they have read. Where a request gives several values
 * of one property, the first that is a change counts; of models only those of the mode.
 */
export function selectChangedAssistant(
  { values, shownWith }: Pick<AssistantInput, 'values' | 'shownWith'>,
  before: Assistant | null,
): Partial<Assistant> {
  const chosen: Record<string, unknown> = {};
  const choose = (property: keyof Assistant, given: RequestedValue[]): void => {
    const change = given.find(({ value }) => !isKnown(property, value, before, shownWith));
    if (change) chosen[property] = change.value;
  };
  for (const [property, given] of values) if (property !== 'llmModelId') choose(property, given);
  const mode = (chosen['mode'] as AssistantMode | undefined) ?? before?.mode;
  const models = countingModels(values.get('llmModelId') ?? [], mode, shownWith.catalog);
  // A new assistant has no other model: what does not count is judged.
  choose('llmModelId', models.length === 0 && before === null ? (values.get('llmModelId') ?? []) : models);
  const columns: Partial<Assistant> = chosen;
  // Removing the URL also disables the webhook.
  if (columns.webhookUrl === null && !values.has('isWebhookActive')) columns.isWebhookActive = false;
  const language = columns.languageId && shownWith.catalog.language(columns.languageId);
  if (language) {
    // Fillers of the user take precedence; defaults follow the new language.
    columns.fillerConfig = defaultFillers(language.tag);
    if (isDeepStrictEqual(columns.writtenFillers, columns.fillerConfig)) delete columns.writtenFillers;
  }
  return columns;
}

/**
 * The mode decides whose model counts: in pipeline mode `multimodal_model_id` does not; in multimodal mode, where it is
 * given, `llm_model_id` does not, and `llm_model` only as the name of a multimodal model.
 */
function countingModels(
  given: RequestedValue[],
  mode: AssistantMode | undefined,
  catalog: Catalog,
): RequestedValue[] {
  const ofMultimodal = given.filter(({ name }) => name === 'multimodal_model_id');
  if (ofMultimodal.length === 0) return given;
  if (mode !== 'multimodal') return given.filter(({ name }) => name !== 'multimodal_model_id');
  const isRealtime = ({ value }: RequestedValue): boolean =>
    catalog.model(value as number)?.mode === 'multimodal';
  return [...given.filter((one) => one.name === 'llm_model' && isRealtime(one)), ...ofMultimodal];
}

function isKnown(
  property: keyof Assistant,
  value: unknown,
  before: Assistant | null,
  shownWith: AssistantInput['shownWith'],
): boolean {
  if (before === null) return false;
  const stored = before[property];
  if (isDeepStrictEqual(value, stored)) return true;
  const render = RENDERED.get(property);
  if (!render) return false;
  const shown = render(stored, { ...shownWith, assistant: before });
  return isDeepStrictEqual(value, shown) || (typeof value === 'number' && value === Number(shown));
}

type Checked = Pick<
  Assistant,
  | 'voiceId'
  | 'languageId'
  | 'mode'
  | 'llmModelId'
  | 'isWebhookActive'
  | 'webhookUrl'
  | 'synthesizerProviderId'
  | 'transcriberProviderId'
  | 'knowledgebaseId'
  | 'knowledgebaseMode'
  | 'redaction'
>;

/**
 * Validates the assistant as it will be after the write: fields that are valid alone can conflict. Fields of which
 * none changes are not judged.
 * @param before null: a new one.
 * @throws Invalid naming every field that is wrong.
 */
export function assertValidAssistant(input: AssistantInput, after: Checked, before: Checked | null): void {
  const { catalog } = input.shownWith;
  const errors: FieldErrors = { ...input.errors };
  for (const field of input.unknown) errors[field] = [selectedInvalidMessage(field)];
  const changes = (...fields: (keyof Checked)[]): boolean =>
    before === null || fields.some((field) => before[field] !== after[field]);
  const isMultimodal = catalog.model(after.llmModelId)?.mode === 'multimodal';
  if (after.mode === 'pipeline' && isMultimodal && changes('mode', 'llmModelId')) {
    // An unchanged model is invalid by the mode, under any name in the request.
    const given = changes('llmModelId') ? input.values.get('llmModelId') : undefined;
    const field = given?.find(({ value }) => value === after.llmModelId)?.name ?? 'llm_model';
    errors[field] = [selectedInvalidMessage(field)];
  }
  const areKnown = !['voice_id', 'language', 'language_id'].some((field) => input.unknown.includes(field));
  if (areKnown && changes('voiceId', 'languageId') && !catalog.canSpeak(after.voiceId, after.languageId)) {
    errors.voice_id = [selectedInvalidMessage('voice_id')];
  }
  const lacks = missingProvider(after);
  if (lacks && changes('synthesizerProviderId', 'transcriberProviderId')) {
    errors[lacks] ??= [`The ${lacks.replaceAll('_', ' ')} field is required with the other provider id.`];
  }
  if (after.isWebhookActive && after.webhookUrl === null && changes('isWebhookActive', 'webhookUrl')) {
    errors.webhook_url = [WEBHOOK_URL_REQUIRED];
  }
  if (after.knowledgebaseMode === 'prompt' && changes('mode', 'knowledgebaseId', 'knowledgebaseMode')) {
    const fault = promptFault(after, input.knowledge);
    if (fault) errors.knowledgebase_mode = [fault];
  }
  if (after.redaction === 'model' && after.mode === 'multimodal' && changes('mode', 'redaction')) {
    errors.redaction = [REDACTION_OF_AUDIO];
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors, VALIDATION_FAILED);
}

/** Why the base cannot be in the prompt; null: it can. */
function promptFault({ mode, knowledgebaseId }: Checked, base: BaseSize | null): string | null {
  if (mode === 'multimodal') return 'Only function_call mode is available for multimodal assistants.';
  if (knowledgebaseId === null || base?.id !== knowledgebaseId || base.tokens <= MAX_PROMPT_TOKENS)
    return null;
  const [tokens, limit] = [base.tokens, MAX_PROMPT_TOKENS].map((count) => count.toLocaleString('en-US'));
  return `The knowledgebase has about ${tokens} tokens. The prompt takes ${limit}: use function_call mode.`;
}

/** An assistant speaks and listens by providers, or by the carrier. */
function missingProvider({
  synthesizerProviderId: synthesizer,
  transcriberProviderId: transcriber,
}: Checked): 'synthesizer_provider_id' | 'transcriber_provider_id' | null {
  if ((synthesizer === null) === (transcriber === null)) return null;
  return synthesizer === null ? 'synthesizer_provider_id' : 'transcriber_provider_id';
}
