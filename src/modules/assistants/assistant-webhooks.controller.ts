import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { AssistantsService } from './assistants.service.js';
import { DisableWebhookDto, EnableWebhookDto } from './dto/assistant-requests.dto.js';
import { WebhookSwitchedResponse } from './dto/assistant-summaries.response.js';

@ApiResource('Assistants')
@Controller('user/assistants')
export class AssistantWebhooksController {
  constructor(private readonly assistants: AssistantsService) {}

  @Post('enable-webhook')
  @HttpCode(200)
  @ResponseMessage('Webhook enabled successfully')
  @ApiOperation({ operationId: 'enableWebhook', summary: 'Send post-call notifications to a URL' })
  @ApiOkResponse({ type: WebhookSwitchedResponse })
  @ApiNotFound('Assistant not found')
  @ApiInvalid()
  enable(@UserId() userId: number, @Body() { assistant_id, webhook_url }: EnableWebhookDto) {
    return this.assistants.setWebhook(userId, assistant_id, 'post-call', webhook_url);
  }

  @Post('disable-webhook')
  @HttpCode(200)
  @ResponseMessage('Webhook disabled successfully')
  @ApiOperation({
    operationId: 'disableWebhook',
    summary: 'End post-call notifications and forget their URL',
  })
  @ApiOkResponse({ type: WebhookSwitchedResponse })
  @ApiNotFound('Assistant not found')
  @ApiInvalid()
  disable(@UserId() userId: number, @Body() { assistant_id }: DisableWebhookDto) {
    return this.assistants.setWebhook(userId, assistant_id, 'post-call', null);
  }

  @Post('enable-inbound-webhook')
  @HttpCode(200)
  @ResponseMessage('Inbound webhook enabled successfully')
  @ApiOperation({
    operationId: 'enableInboundWebhook',
    summary: 'Send notifications of inbound calls to a URL',
  })
  @ApiOkResponse({ type: WebhookSwitchedResponse })
  @ApiNotFound('Assistant not found')
  @ApiInvalid()
  enableInbound(@UserId() userId: number, @Body() { assistant_id, webhook_url }: EnableWebhookDto) {
    return this.assistants.setWebhook(userId, assistant_id, 'inbound', webhook_url);
  }

  @Post('disable-inbound-webhook')
  @HttpCode(200)
  @ResponseMessage('Inbound webhook disabled successfully')
  @ApiOperation({ operationId: 'disableInboundWebhook', summary: 'End notifications of inbound calls' })
  @ApiOkResponse({ type: WebhookSwitchedResponse })
  @ApiNotFound('Assistant not found')
  @ApiInvalid()
  disableInbound(@UserId() userId: number, @Body() { assistant_id }: DisableWebhookDto) {
    return this.assistants.setWebhook(userId, assistant_id, 'inbound', null);
  }
}
