import { Body, Controller, Delete, Get, Post, Put, Query, type StreamableFile } from '@nestjs/common';
import { RequestKeyClaim } from '#src/http/idempotency/keyed-requests.js';
import type { ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { TokenHasScope, UserId } from '#src/auth/auth.decorators.js';
import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { IgnoresFields } from '#src/http/ignored-fields.js';
import { PathId } from '#src/http/path-id.js';
import { WithRouteConfig } from '#src/http/route-config.js';
import { ChangedFields } from '#src/http/changed-fields.decorator.js';
import type { StreamedPage } from '#src/http/pagination/page.js';
import { RESPONSE_NAME_OF_SETTING } from './assistant-settings.js';
import { AssistantNotFound } from './assistants.errors.js';
import { AssistantsService } from './assistants.service.js';
import { IGNORED_ASSISTANT_FIELDS } from './ignored-fields.js';
import {
  CreateAssistantDto,
  DisableWebhookDto,
  EnableWebhookDto,
  FilterAssistantsDto,
  ListAssistantsDto,
  PageAssistantsDto,
  UpdateAssistantDto,
} from './dto/assistant-input.dto.js';
import {
  AssistantPhoneNumberResponse,
  AssistantSummaryResponse,
  OutboundAssistantResponse,
  WebhookSwitchedResponse,
} from './dto/assistant-parts.response.js';
import { AssistantResponse } from './dto/assistant.response.js';

const SHOWN_FIELDS = {
  shownAs: RESPONSE_NAME_OF_SETTING,
  // Needed without a change, too: they decide which model counts and whether a removed URL disables the webhook.
  except: ['multimodal_model_id', 'is_webhook_active'],
};

/**
 * The contract has `/user/assistant` for one assistant and `/user/assistants` for lists, for which some clients write
 * the singular, too.
 */
@ApiResource('Assistants')
@Controller('user')
export class AssistantsController {
  constructor(private readonly assistants: AssistantsService) {}

  @Post('assistant')
  @WithRouteConfig({ invalidMessage: VALIDATION_FAILED })
  @IgnoresFields(IGNORED_ASSISTANT_FIELDS)
  @Endpoint({
    summary: 'Create an assistant',
    status: 201,
    message: true,
    data: AssistantSummaryResponse,
    failure: 'Assistant creation failed',
  })
  async createAssistant(
    @UserId() userId: number,
    @Body() dto: CreateAssistantDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<AssistantSummaryResponse>> {
    return {
      message: 'Assistant created successfully',
      data: await this.assistants.createAssistant(userId, dto, key),
    };
  }

  @Get('assistant/:id')
  @Endpoint({ summary: 'One assistant', data: AssistantResponse })
  async getAssistant(
    @UserId() userId: number,
    @PathId(AssistantNotFound) id: number,
    @TokenHasScope('write') seesHeaders: boolean,
  ): Promise<DataResult<AssistantResponse>> {
    return { data: await this.assistants.showAssistant(userId, id, seesHeaders) };
  }

  @Put('assistant/:id')
  @WithRouteConfig({ invalidMessage: VALIDATION_FAILED })
  @IgnoresFields(IGNORED_ASSISTANT_FIELDS)
  @Endpoint({
    summary: 'Update the given fields of an assistant',
    message: true,
    data: AssistantSummaryResponse,
    failure: 'Assistant update failed',
  })
  async updateAssistant(
    @UserId() userId: number,
    @PathId(AssistantNotFound) id: number,
    @ChangedFields(AssistantsService, 'getAssistant', SHOWN_FIELDS) dto: UpdateAssistantDto,
  ): Promise<MessageAndData<AssistantSummaryResponse>> {
    return {
      message: 'Assistant updated successfully',
      data: await this.assistants.updateAssistant(userId, id, dto),
    };
  }

  @Delete('assistant/:id')
  @Endpoint({ summary: 'Delete an assistant; its call records stay' })
  async deleteAssistant(
    @UserId() userId: number,
    @PathId(AssistantNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.assistants.deleteAssistant(userId, id);
    return { message: 'Assistant deleted successfully' };
  }

  @Get('assistants')
  @Endpoint({ summary: 'All assistants, newest first', body: [AssistantResponse] })
  listAssistants(
    @UserId() userId: number,
    @Query() query: FilterAssistantsDto,
    @TokenHasScope('write') seesHeaders: boolean,
  ): Promise<StreamableFile> {
    return this.assistants.listAssistants(userId, query, seesHeaders);
  }

  @Get(['assistants/get', 'assistant/get'])
  @Endpoint({ summary: 'Assistants page by page, newest first', page: AssistantResponse })
  pageAssistants(
    @UserId() userId: number,
    @Query() query: PageAssistantsDto,
    @TokenHasScope('write') seesHeaders: boolean,
  ): Promise<StreamedPage> {
    return this.assistants.pageOfAssistants(userId, query, seesHeaders);
  }

  @Get(['assistants/outbound', 'assistant/outbound'])
  @Endpoint({ summary: 'All outbound assistants, newest first', body: [OutboundAssistantResponse] })
  listOutboundAssistants(@UserId() userId: number): Promise<StreamableFile> {
    return this.assistants.listOutbound(userId);
  }

  @Get(['assistants/phone-numbers', 'assistant/phone-numbers'])
  @Endpoint({ summary: 'Phone numbers that an assistant can be given', body: [AssistantPhoneNumberResponse] })
  listAssistantPhoneNumbers(
    @UserId() userId: number,
    @Query() { type = null }: ListAssistantsDto,
  ): Promise<AssistantPhoneNumberResponse[]> {
    return this.assistants.listPhoneNumberChoices(userId, type);
  }

  @Post('assistants/enable-webhook')
  @Endpoint({
    summary: 'Send post-call notifications to a URL',
    body: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  async enableWebhook(
    @UserId() userId: number,
    @Body() { assistant_id, webhook_url }: EnableWebhookDto,
  ): Promise<WebhookSwitchedResponse> {
    return {
      message: 'Webhook enabled successfully',
      data: await this.assistants.setWebhook(userId, assistant_id, 'post-call', webhook_url),
    };
  }

  @Post('assistants/disable-webhook')
  @Endpoint({
    summary: 'End post-call notifications and forget their URL',
    body: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  async disableWebhook(
    @UserId() userId: number,
    @Body() { assistant_id }: DisableWebhookDto,
  ): Promise<WebhookSwitchedResponse> {
    return {
      message: 'Webhook disabled successfully',
      data: await this.assistants.setWebhook(userId, assistant_id, 'post-call', null),
    };
  }

  @Post('assistants/enable-inbound-webhook')
  @Endpoint({
    summary: 'Send notifications of inbound calls to a URL',
    body: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  async enableInboundWebhook(
    @UserId() userId: number,
    @Body() { assistant_id, webhook_url }: EnableWebhookDto,
  ): Promise<WebhookSwitchedResponse> {
    return {
      message: 'Inbound webhook enabled successfully',
      data: await this.assistants.setWebhook(userId, assistant_id, 'inbound', webhook_url),
    };
  }

  @Post('assistants/disable-inbound-webhook')
  @Endpoint({
    summary: 'End notifications of inbound calls',
    body: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  async disableInboundWebhook(
    @UserId() userId: number,
    @Body() { assistant_id }: DisableWebhookDto,
  ): Promise<WebhookSwitchedResponse> {
    return {
      message: 'Inbound webhook disabled successfully',
      data: await this.assistants.setWebhook(userId, assistant_id, 'inbound', null),
    };
  }

  @Post('assistants/enable-conversation-ended-webhook')
  @Endpoint({
    summary: 'Send notifications of ended text conversations to a URL',
    body: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  async enableConversationEndedWebhook(
    @UserId() userId: number,
    @Body() { assistant_id, webhook_url }: EnableWebhookDto,
  ): Promise<WebhookSwitchedResponse> {
    return {
      message: 'Conversation ended webhook enabled successfully',
      data: await this.assistants.setWebhook(userId, assistant_id, 'conversation', webhook_url),
    };
  }

  @Post('assistants/disable-conversation-ended-webhook')
  @Endpoint({
    summary: 'End notifications of text conversations',
    body: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  async disableConversationEndedWebhook(
    @UserId() userId: number,
    @Body() { assistant_id }: DisableWebhookDto,
  ): Promise<WebhookSwitchedResponse> {
    return {
      message: 'Conversation ended webhook disabled successfully',
      data: await this.assistants.setWebhook(userId, assistant_id, 'conversation', null),
    };
  }
}
