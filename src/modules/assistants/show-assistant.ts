import { toIsoMicros } from '#src/common/time/time.js';
import type { Catalog } from '../catalog/catalog.js';
import type { ToolResponse } from '../tools/dto/tool.response.js';
import { SETTING_ENTRIES, type SettingResponseName } from './assistant-settings.js';
import type { AssistantResponse } from './dto/assistant.response.js';
import type { Assistant } from './entities/assistant.entity.js';
import type { SettingRenderContext } from './setting.types.js';

/** Fields of the contract that this service does not have are null. */
const INSTANCE_ID = 1;

export const toAssistantResponse = (
  shown: SettingRenderContext,
  tools: ToolResponse[],
): AssistantResponse => {
  const { assistant, catalog } = shown;
  const answer = withSettings(shown, {
    id: assistant.id,
    user_id: assistant.accountId,
    uuid: assistant.uuid,
    engine_id: null,
    synthesizer_id: null,
    transcriber_id: null,
    instance_id: INSTANCE_ID,
    flows_platform_id: null,
    multimodal_model_id: multimodalModelId(assistant, catalog),
  });
  return Object.assign(answer, {
    language: catalog.language(assistant.languageId)?.name ?? null,
    label_ids: assistant.labelIds,
    tools: [...tools, ...assistant.builtInTools],
    created_at: toIsoMicros(assistant.createdAt),
    updated_at: toIsoMicros(assistant.updatedAt),
    deleted_at: assistant.deletedAt && toIsoMicros(assistant.deletedAt),
  });
};

const SHOWN_SETTINGS = SETTING_ENTRIES.flatMap(([name, { response = name, ...setting }]) =>
  response === null ? [] : [{ ...setting, response }],
);

/** Adds them to the object itself: a copy of so many fields takes as long as they do. */
function withSettings<T extends object>(
  shown: SettingRenderContext,
  answer: T,
): T & Pick<AssistantResponse, SettingResponseName> {
  const fields = answer as Record<string, unknown>;
  for (const { response, property, render } of SHOWN_SETTINGS) {
    const value = shown.assistant[property];
    fields[response] = render ? render(value, shown) : value;
  }
  return answer as T & Pick<AssistantResponse, SettingResponseName>;
}

const multimodalModelId = ({ llmModelId }: Assistant, catalog: Catalog): number | null =>
  catalog.model(llmModelId)?.mode === 'multimodal' ? llmModelId : null;
