import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiInternalServerErrorResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { IdempotentRequestId } from '#src/common/idempotency/idempotency.interceptor.js';
import { ApiPaginated } from '#src/common/pagination/page.js';
import { ListSmsDto, SendSmsDto, SmsFailedResponse, SmsResponse } from './dto/sms.dto.js';
import { SmsNotFound } from './sms.errors.js';
import { SmsService } from './sms.service.js';

@ApiResource('SMS')
@Controller('user/sms')
export class SmsController {
  constructor(private readonly sms: SmsService) {}

  @Get()
  @ApiOperation({ operationId: 'listSms', summary: 'SMS messages, newest first, paginated' })
  @ApiPaginated(SmsResponse)
  @ApiInvalid()
  list(@UserId() userId: number, @Query() query: ListSmsDto) {
    return this.sms.listSms(userId, query);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sendSms',
    summary: 'Send an SMS; its cost is taken from the balance',
    description:
      'Status `pending` in the answer: the provider did not answer. It is settled within a minute.',
  })
  @ApiData(ApiOkResponse, SmsResponse, { message: true })
  @ApiBadRequestResponse({ type: MessageResponse, description: 'A rule of sending is violated.' })
  @ApiInvalid()
  @ApiInternalServerErrorResponse({
    type: SmsFailedResponse,
    description: 'The provider refused; nothing is charged.',
  })
  send(@UserId() userId: number, @Body() dto: SendSmsDto, @IdempotentRequestId() requestId: string | null) {
    return this.sms.sendSms(userId, dto, requestId);
  }

  @Get(':id')
  @ApiPathId()
  @ResponseMessage()
  @ApiOperation({ operationId: 'getSms', summary: 'One SMS message' })
  @ApiData(ApiOkResponse, SmsResponse)
  @ApiNotFound('SMS not found')
  get(@UserId() userId: number, @PathId(SmsNotFound) id: number) {
    return this.sms.getSms(userId, id);
  }
}
