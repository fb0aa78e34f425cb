import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiResource } from '#src/common/http/api-docs.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { WebhookSecretResponse } from './webhook-secret.response.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';

@ApiResource('Webhooks')
@Controller('user/webhook-secret')
export class WebhookSecretsController {
  constructor(private readonly secrets: WebhookSecretsService) {}

  @Get()
  @ResponseMessage()
  @ApiOperation({ operationId: 'getWebhookSecret', summary: 'The secret that signs webhooks' })
  @ApiData(ApiOkResponse, WebhookSecretResponse)
  get(@UserId() userId: number) {
    return this.secrets.show(userId);
  }

  @Post('rotate')
  @HttpCode(200)
  @ResponseMessage('Webhook secret rotated successfully')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new signing secret; the old one signs for 24 more hours',
  })
  @ApiData(ApiOkResponse, WebhookSecretResponse, { message: true })
  rotate(@UserId() userId: number) {
    return this.secrets.rotate(userId);
  }
}
