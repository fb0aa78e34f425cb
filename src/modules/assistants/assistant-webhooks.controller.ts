import { Body, Controller, Post } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { AssistantNotFound } from './assistants.errors.js';
import { AssistantsService } from './assistants.service.js';
import { DisableWebhookDto, EnableWebhookDto } from './dto/assistant-requests.dto.js';
import { WebhookSwitchedResponse } from './dto/assistant-summaries.response.js';

@ApiResource('Assistants')
@Controller('user/assistants')
export class AssistantWebhooksController {
  constructor(private readonly assistants: AssistantsService) {}

  @Post('enable-webhook')
  @Endpoint({
    summary: 'Send post-call notifications to a URL',
    message: 'Webhook enabled successfully',
    wrapper: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  enableWebhook(@UserId() userId: number, @Body() { assistant_id, webhook_url }: EnableWebhookDto) {
    return this.assistants.setWebhook(userId, assistant_id, 'post-call', webhook_url);
  }

  @Post('disable-webhook')
  @Endpoint({
    summary: 'End post-call notifications and forget their URL',
    message: 'Webhook disabled successfully',
    wrapper: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  disableWebhook(@UserId() userId: number, @Body() { assistant_id }: DisableWebhookDto) {
    return this.assistants.setWebhook(userId, assistant_id, 'post-call', null);
  }

  @Post('enable-inbound-webhook')
  @Endpoint({
    summary: 'Send notifications of inbound calls to a URL',
    message: 'Inbound webhook enabled successfully',
    wrapper: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  enableInboundWebhook(@UserId() userId: number, @Body() { assistant_id, webhook_url }: EnableWebhookDto) {
    return this.assistants.setWebhook(userId, assistant_id, 'inbound', webhook_url);
  }

  @Post('disable-inbound-webhook')
  @Endpoint({
    summary: 'End notifications of inbound calls',
    message: 'Inbound webhook disabled successfully',
    wrapper: WebhookSwitchedResponse,
    errors: [AssistantNotFound],
  })
  disableInboundWebhook(@UserId() userId: number, @Body() { assistant_id }: DisableWebhookDto) {
    return this.assistants.setWebhook(userId, assistant_id, 'inbound', null);
  }
}
