import { Body, Controller, Post } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { AssistantNotFound } from '../../assistants/assistants.errors.js';
import { DeliveryDetailResponse } from './dto/delivery.response.js';
import { TestWebhookDto } from './dto/webhook-log.dto.js';
import { TestWebhooksService } from './test-webhooks.service.js';

@ApiResource('Webhooks')
@Controller('user/assistants/test-webhook')
export class TestWebhookController {
  constructor(private readonly tests: TestWebhooksService) {}

  @Post()
  @Endpoint({
    summary: 'Send an example of a finished call, marked as a test; the answer tells what came of it',
    message: 'Test webhook sent successfully',
    data: DeliveryDetailResponse,
    errors: [AssistantNotFound],
  })
  testWebhook(@UserId() userId: number, @Body() dto: TestWebhookDto) {
    return this.tests.sendTestWebhook(userId, dto);
  }
}
