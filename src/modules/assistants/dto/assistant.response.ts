import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { MessageResponse } from '#src/http/message.response.js';
import { toIsoMicros } from '#src/common/time/time.js';
import type { Catalog } from '../../catalog/catalog.js';
import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import { ToolResponse } from '../../tools/dto/tool.response.js';
import { SETTINGS } from '../assistant-settings.js';
import {
  ASSISTANT_STATUSES,
  ASSISTANT_TYPES,
  BuiltInTool,
  type AssistantStatus,
  type AssistantType,
} from '../assistant.types.js';
import type { Assistant } from '../entities/assistant.entity.js';
import type { ShownWith } from '../setting-kinds.js';

const INSTANT = { example: '2026-01-31T09:30:00.000000Z' };

const SHOWN_SETTINGS = SETTINGS.flatMap(([name, { response = name, ...setting }]) =>
  response === null ? [] : [{ ...setting, response }],
);

const ShowsSettings = (): ClassDecorator => (target) => {
  for (const { response, schema } of SHOWN_SETTINGS) {
    ApiProperty(schema)(target.prototype as object, response);
  }
};

/** Fields of the contract that this service does not have are null. */
const INSTANCE_ID = 1;
const NO_KNOWLEDGEBASE = 'none';

/** The full shape: these fields and every setting that is shown. The contract defines the names. */
@ShowsSettings()
@ApiExtraModels(ToolResponse, BuiltInTool)
export class AssistantResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) user_id: number;
  @ApiProperty({ format: 'uuid' }) uuid: string;
  @ApiProperty({ type: 'integer', nullable: true }) engine_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) synthesizer_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) transcriber_id: number | null;
  @ApiProperty({ type: 'integer' }) instance_id: number;
  @ApiProperty({ type: 'integer', nullable: true }) flows_platform_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) multimodal_model_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) knowledgebase_id: number | null;
  @ApiProperty() knowledgebase_mode: string;
  @ApiProperty({ type: String, nullable: true, example: 'English' }) language: string | null;
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(ToolResponse) }, { $ref: getSchemaPath(BuiltInTool) }] },
    description: 'Mid call tools, then the built-in tools that requests declared.',
  })
  tools: (ToolResponse | BuiltInTool)[];
  @ApiProperty({ type: [Number], description: 'Ascending.' }) label_ids: number[];
  @ApiProperty(INSTANT) created_at: string;
  @ApiProperty(INSTANT) updated_at: string;
  @ApiProperty({ type: String, nullable: true }) deleted_at: string | null;
}

export const toAssistantResponse = (shown: ShownWith, tools: ToolResponse[]): AssistantResponse => {
  const { assistant, catalog } = shown;
  const answer = {
    id: assistant.id,
    user_id: assistant.accountId,
    uuid: assistant.uuid,
    engine_id: null,
    synthesizer_id: null,
    transcriber_id: null,
    instance_id: INSTANCE_ID,
    flows_platform_id: null,
    multimodal_model_id: multimodalModelId(assistant, catalog),
    knowledgebase_id: null,
    knowledgebase_mode: NO_KNOWLEDGEBASE,
  };
  renderSettings(shown, answer);
  return Object.assign(answer, {
    language: catalog.language(assistant.languageId)?.name ?? null,
    label_ids: assistant.labelIds,
    tools: [...tools, ...assistant.builtInTools],
    created_at: toIsoMicros(assistant.createdAt),
    updated_at: toIsoMicros(assistant.updatedAt),
    deleted_at: assistant.deletedAt && toIsoMicros(assistant.deletedAt),
  });
};

/** Into the answer itself: a copy of so many fields takes as long as they do. */
function renderSettings(shown: ShownWith, answer: Record<string, unknown>): void {
  for (const { response, property, render } of SHOWN_SETTINGS) {
    const value = shown.assistant[property];
    answer[response] = render ? render(value, shown) : value;
  }
}

const multimodalModelId = ({ llmModelId }: Assistant, catalog: Catalog): number | null =>
  catalog.model(llmModelId)?.mode === 'multimodal' ? llmModelId : null;

export class AssistantSummaryResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
  @ApiProperty({ enum: ASSISTANT_STATUSES }) status: AssistantStatus;
  @ApiProperty({ enum: ASSISTANT_TYPES }) type: AssistantType;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
}

export const toAssistantSummary = ({
  id,
  name,
  status,
  type,
  mode,
}: Assistant): AssistantSummaryResponse => ({
  id,
  name,
  status,
  type,
  mode,
});

export class OutboundAssistantResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) user_id: number;
  @ApiProperty() name: string;
  @ApiProperty({ enum: ['outbound'] }) type: AssistantType;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
  @ApiProperty({ enum: ASSISTANT_STATUSES }) status: AssistantStatus;
  @ApiProperty({ type: 'integer' }) voice_id: number;
  @ApiProperty({ type: 'integer' }) language_id: number;
  @ApiProperty() timezone: string;
  @ApiProperty() initial_message: string;
  @ApiProperty() system_prompt: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) variables: Record<string, unknown>;
  @ApiProperty({ type: String, nullable: true }) webhook_url: string | null;
  @ApiProperty() is_webhook_active: boolean;
  @ApiProperty(INSTANT) created_at: string;
  @ApiProperty(INSTANT) updated_at: string;
}

export const toOutboundAssistant = (assistant: Assistant): OutboundAssistantResponse => ({
  id: assistant.id,
  user_id: assistant.accountId,
  name: assistant.name,
  type: assistant.type,
  mode: assistant.mode,
  status: assistant.status,
  voice_id: assistant.voiceId,
  language_id: assistant.languageId,
  timezone: assistant.timezone,
  initial_message: assistant.initialMessage,
  system_prompt: assistant.systemPrompt,
  variables: assistant.variables,
  webhook_url: assistant.webhookUrl,
  is_webhook_active: assistant.isWebhookActive,
  created_at: toIsoMicros(assistant.createdAt),
  updated_at: toIsoMicros(assistant.updatedAt),
});

export class AssistantPhoneNumberResponse {
  @ApiProperty({ type: 'integer', description: 'The value of `phone_number_id`.' }) id: number;
  @ApiProperty({ description: 'E.164.', example: '+14155550123' }) phone_number: string;
  @ApiProperty({ description: 'ISO 3166-1 alpha-2.', example: 'US' }) country_code: string;
  @ApiProperty({ example: 'Local' }) type_label: string;
  @ApiProperty({ description: 'False: expired, or (asked for `inbound`) held by another inbound assistant.' })
  is_available: boolean;
}

interface UsersNumber {
  id: number;
  phone_number: string;
  country_code: string;
  type_label: string;
  has_active_subscription: boolean;
}

export const toAssistantPhoneNumber = (number: UsersNumber, held: boolean): AssistantPhoneNumberResponse => ({
  id: number.id,
  phone_number: number.phone_number,
  country_code: number.country_code,
  type_label: number.type_label,
  is_available: number.has_active_subscription && !held,
});

export class WebhookSwitchedResponse extends MessageResponse {
  @ApiProperty({ type: 'array', items: { type: 'object' }, maxItems: 0, description: 'Reserved.' })
  data: never[];
}
