import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/user-id.decorator.js';
import { ApiData, ApiInvalid, ApiMissing, ApiResource } from '#src/common/http/api-docs.js';
import { Saying } from '#src/common/http/saying.js';
import { DeliveryDetailResponse } from './dto/delivery.response.js';
import { TestWebhookDto } from './dto/test-webhook.dto.js';
import { TestWebhooks } from './test-webhooks.service.js';

@ApiResource('Webhooks')
@Controller('user/assistants/test-webhook')
export class TestWebhookController {
  constructor(private readonly tests: TestWebhooks) {}

  @Post()
  @HttpCode(200)
  @Saying('Test webhook sent successfully')
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send an example of a finished call, marked as a test; the answer tells what came of it',
  })
  @ApiData(ApiOkResponse, DeliveryDetailResponse, { message: true })
  @ApiMissing('Assistant not found')
  @ApiInvalid()
  send(@UserId() userId: number, @Body() dto: TestWebhookDto) {
    return this.tests.send(userId, dto);
  }
}
