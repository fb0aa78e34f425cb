import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { ApiPaginated } from '#src/common/pagination/page.js';
import { DeliveryNotFound } from '../webhooks.errors.js';
import { DeliveryDetailResponse, DeliveryResponse } from './dto/delivery.response.js';
import { ListDeliveriesDto, ReplayDeliveriesDto, ReplayedResponse } from './dto/webhook-log.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@ApiResource('Webhooks')
@Controller('user/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get()
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'Deliveries, newest first, paginated' })
  @ApiPaginated(DeliveryResponse)
  @ApiInvalid()
  list(@UserId() userId: number, @Query() query: ListDeliveriesDto) {
    return this.deliveries.pageOfDeliveries(userId, query);
  }

  @Post('replay')
  @HttpCode(200)
  @ResponseMessage('Webhook deliveries replayed successfully')
  @ApiOperation({ operationId: 'replayWebhookDeliveries', summary: 'Send all failed deliveries again' })
  @ApiData(ApiOkResponse, ReplayedResponse, { message: true })
  @ApiInvalid()
  replayAll(@UserId() userId: number, @Body() dto: ReplayDeliveriesDto) {
    return this.deliveries.replayDeliveries(userId, dto);
  }

  @Get(':id')
  @ApiPathId()
  @ResponseMessage()
  @ApiOperation({ operationId: 'getWebhookDelivery', summary: 'One delivery with its attempts' })
  @ApiData(ApiOkResponse, DeliveryDetailResponse)
  @ApiNotFound('Webhook delivery not found')
  get(@UserId() userId: number, @PathId(DeliveryNotFound) id: number) {
    return this.deliveries.getDelivery(userId, id);
  }

  @Post(':id/replay')
  @HttpCode(200)
  @ApiPathId()
  @ResponseMessage('Webhook delivery replayed successfully')
  @ApiOperation({ operationId: 'replayWebhookDelivery', summary: 'Send a delivery again' })
  @ApiData(ApiOkResponse, DeliveryResponse, { message: true })
  @ApiNotFound('Webhook delivery not found')
  replay(@UserId() userId: number, @PathId(DeliveryNotFound) id: number) {
    return this.deliveries.replayDelivery(userId, id);
  }
}
