import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import type { Page } from '#src/http/pagination/page.js';
import { RecordsRead } from '../audit/records-read.decorator.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import { DeliveryDetailResponse, DeliveryResponse } from './log/dto/delivery.response.js';
import { ListDeliveriesDto, ReplayDeliveriesDto, TestWebhookDto } from './log/dto/webhook-log.dto.js';
import { ReplayedResponse } from './log/dto/replayed.response.js';
import { TestWebhooksService } from './log/test-webhooks.service.js';
import { WebhookDeliveriesService } from './log/webhook-deliveries.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { RotatedWebhookSecretResponse, WebhookSecretResponse } from './dto/webhook-secret.response.js';
import { DeliveryNotFound } from './webhooks.errors.js';

@ApiResource('Webhooks')
@Controller('user')
export class WebhooksController {
  constructor(
    private readonly secrets: WebhookSecretsService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly tests: TestWebhooksService,
  ) {}

  @Get('webhook-secret')
  @RecordsRead('webhook-secret.read')
  @Endpoint({ summary: 'The secret that signs webhooks', data: WebhookSecretResponse, scope: 'admin' })
  async getWebhookSecret(@UserId() userId: number): Promise<DataResult<WebhookSecretResponse>> {
    return { data: await this.secrets.getSecret(userId) };
  }

  @Post('webhook-secret/rotate')
  @Endpoint({
    summary: 'Make a new signing secret; the old one signs for 24 more hours',
    message: true,
    data: RotatedWebhookSecretResponse,
    scope: 'admin',
    shownOnce: { secret: undefined },
  })
  async rotateWebhookSecret(@UserId() userId: number): Promise<MessageAndData<RotatedWebhookSecretResponse>> {
    return { message: 'Webhook secret rotated successfully', data: await this.secrets.rotateSecret(userId) };
  }

  @Get('webhook-deliveries')
  @Endpoint({ summary: 'Deliveries, newest first, paginated', page: DeliveryResponse })
  listWebhookDeliveries(
    @UserId() userId: number,
    @Query() query: ListDeliveriesDto,
  ): Promise<Page<DeliveryResponse>> {
    return this.deliveries.listDeliveries(userId, query);
  }

  @Post('webhook-deliveries/replay')
  @Endpoint({
    summary: 'Send all failed deliveries again',
    message: true,
    data: ReplayedResponse,
  })
  async replayWebhookDeliveries(
    @UserId() userId: number,
    @Body() dto: ReplayDeliveriesDto,
  ): Promise<MessageAndData<ReplayedResponse>> {
    return {
      message: 'Webhook deliveries replayed successfully',
      data: await this.deliveries.replayDeliveries(userId, dto),
    };
  }

  @Get('webhook-deliveries/:id')
  @RecordsRead('delivery.read')
  @Endpoint({ summary: 'One delivery with its attempts', data: DeliveryDetailResponse })
  async getWebhookDelivery(
    @UserId() userId: number,
    @PathId(DeliveryNotFound) id: number,
  ): Promise<DataResult<DeliveryDetailResponse>> {
    return { data: await this.deliveries.getDelivery(userId, id) };
  }

  @Post('webhook-deliveries/:id/replay')
  @Endpoint({
    summary: 'Send a delivery again',
    message: true,
    data: DeliveryResponse,
  })
  async replayWebhookDelivery(
    @UserId() userId: number,
    @PathId(DeliveryNotFound) id: number,
  ): Promise<MessageAndData<DeliveryResponse>> {
    return {
      message: 'Webhook delivery replayed successfully',
      data: await this.deliveries.replayDelivery(userId, id),
    };
  }

  @Post('assistants/test-webhook')
  @Endpoint({
    summary: 'Send an example of a finished call, marked as a test; the answer tells what came of it',
    message: true,
    data: DeliveryDetailResponse,
    errors: [AssistantNotFound],
  })
  async testWebhook(
    @UserId() userId: number,
    @Body() dto: TestWebhookDto,
  ): Promise<MessageAndData<DeliveryDetailResponse>> {
    return { message: 'Test webhook sent successfully', data: await this.tests.sendTestWebhook(userId, dto) };
  }
}
