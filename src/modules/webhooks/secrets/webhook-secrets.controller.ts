import { Controller, Get, Post } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { WebhookSecretResponse, WebhookSecretsService } from './webhook-secrets.service.js';

@ApiResource('Webhooks')
@Controller('user/webhook-secret')
export class WebhookSecretsController {
  constructor(private readonly secrets: WebhookSecretsService) {}

  @Get()
  @Endpoint({ summary: 'The secret that signs webhooks', data: WebhookSecretResponse })
  getWebhookSecret(@UserId() userId: number) {
    return this.secrets.show(userId);
  }

  @Post('rotate')
  @Endpoint({
    summary: 'Make a new signing secret; the old one signs for 24 more hours',
    message: 'Webhook secret rotated successfully',
    data: WebhookSecretResponse,
  })
  rotateWebhookSecret(@UserId() userId: number) {
    return this.secrets.rotate(userId);
  }
}
