import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PathId } from '#src/common/http/path-id.js';
import { DeliveryNotFound } from '../webhooks.errors.js';
import { DeliveryDetailResponse, DeliveryResponse } from './dto/delivery.response.js';
import { ListDeliveriesDto, ReplayDeliveriesDto, ReplayedResponse } from './dto/webhook-log.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@ApiResource('Webhooks')
@Controller('user/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get()
  @Endpoint({ summary: 'Deliveries, newest first, paginated', page: DeliveryResponse })
  listWebhookDeliveries(@UserId() userId: number, @Query() query: ListDeliveriesDto) {
    return this.deliveries.pageOfDeliveries(userId, query);
  }

  @Post('replay')
  @Endpoint({
    summary: 'Send all failed deliveries again',
    message: 'Webhook deliveries replayed successfully',
    data: ReplayedResponse,
  })
  replayWebhookDeliveries(@UserId() userId: number, @Body() dto: ReplayDeliveriesDto) {
    return this.deliveries.replayDeliveries(userId, dto);
  }

  @Get(':id')
  @Endpoint({ summary: 'One delivery with its attempts', data: DeliveryDetailResponse })
  getWebhookDelivery(@UserId() userId: number, @PathId(DeliveryNotFound) id: number) {
    return this.deliveries.getDelivery(userId, id);
  }

  @Post(':id/replay')
  @Endpoint({
    summary: 'Send a delivery again',
    message: 'Webhook delivery replayed successfully',
    data: DeliveryResponse,
  })
  replayWebhookDelivery(@UserId() userId: number, @PathId(DeliveryNotFound) id: number) {
    return this.deliveries.replayDelivery(userId, id);
  }
}
