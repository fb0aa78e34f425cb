import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/user-id.decorator.js';
import { ApiData, ApiInvalid, ApiMissing, ApiResource } from '#src/common/http/api-docs.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { Saying } from '#src/common/http/saying.js';
import { ApiPaginated } from '#src/common/pagination/paginated.response.js';
import { DeliveryNotFound } from '../webhooks.errors.js';
import { DeliveryDetailResponse, DeliveryResponse } from './dto/delivery.response.js';
import { ListDeliveriesDto } from './dto/list-deliveries.dto.js';
import { ReplayDeliveriesDto } from './dto/replay-deliveries.dto.js';
import { ReplayedResponse } from './dto/replayed.response.js';
import { WebhookDeliveries } from './webhook-deliveries.service.js';

@ApiResource('Webhooks')
@Controller('user/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveries) {}

  @Get()
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'Deliveries, newest first, paginated' })
  @ApiPaginated(DeliveryResponse)
  @ApiInvalid()
  list(@UserId() userId: number, @Query() query: ListDeliveriesDto) {
    return this.deliveries.page(userId, query);
  }

  @Post('replay')
  @HttpCode(200)
  @Saying('Webhook deliveries replayed successfully')
  @ApiOperation({ operationId: 'replayWebhookDeliveries', summary: 'Send all failed deliveries again' })
  @ApiData(ApiOkResponse, ReplayedResponse, { message: true })
  @ApiInvalid()
  replayAll(@UserId() userId: number, @Body() dto: ReplayDeliveriesDto) {
    return this.deliveries.replayAll(userId, dto);
  }

  @Get(':id')
  @ApiPathId()
  @Saying()
  @ApiOperation({ operationId: 'getWebhookDelivery', summary: 'One delivery with its attempts' })
  @ApiData(ApiOkResponse, DeliveryDetailResponse)
  @ApiMissing('Webhook delivery not found')
  get(@UserId() userId: number, @PathId(DeliveryNotFound) id: number) {
    return this.deliveries.get(userId, id);
  }

  @Post(':id/replay')
  @HttpCode(200)
  @ApiPathId()
  @Saying('Webhook delivery replayed successfully')
  @ApiOperation({ operationId: 'replayWebhookDelivery', summary: 'Send a delivery again' })
  @ApiData(ApiOkResponse, DeliveryResponse, { message: true })
  @ApiMissing('Webhook delivery not found')
  replay(@UserId() userId: number, @PathId(DeliveryNotFound) id: number) {
    return this.deliveries.replay(userId, id);
  }
}
