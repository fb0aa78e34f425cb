import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { DeliveryDetailResponse } from './dto/delivery.response.js';
import { TestWebhookDto } from './dto/webhook-log.dto.js';
import { TestWebhooksService } from './test-webhooks.service.js';

@ApiResource('Webhooks')
@Controller('user/assistants/test-webhook')
export class TestWebhookController {
  constructor(private readonly tests: TestWebhooksService) {}

  @Post()
  @HttpCode(200)
  @ResponseMessage('Test webhook sent successfully')
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send an example of a finished call, marked as a test; the answer tells what came of it',
  })
  @ApiData(ApiOkResponse, DeliveryDetailResponse, { message: true })
  @ApiNotFound('Assistant not found')
  @ApiInvalid()
  send(@UserId() userId: number, @Body() dto: TestWebhookDto) {
    return this.tests.sendTestWebhook(userId, dto);
  }
}
