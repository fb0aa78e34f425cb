import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiInternalServerErrorResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { UserId } from '#src/auth/user-id.decorator.js';
import { ApiData, ApiInvalid, ApiMissing, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { Saying } from '#src/common/http/saying.js';
import { IdempotentRequestId } from '#src/common/idempotency/idempotent-request-id.decorator.js';
import { ApiPaginated } from '#src/common/pagination/paginated.response.js';
import { ListSmsDto } from './dto/list-sms.dto.js';
import { SendSmsDto } from './dto/send-sms.dto.js';
import { SmsFailedResponse } from './dto/sms-failed.response.js';
import { SmsResponse } from './dto/sms.response.js';
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
    return this.sms.list(userId, query);
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
    return this.sms.send(userId, dto, requestId);
  }

  @Get(':id')
  @ApiPathId()
  @Saying()
  @ApiOperation({ operationId: 'getSms', summary: 'One SMS message' })
  @ApiData(ApiOkResponse, SmsResponse)
  @ApiMissing('SMS not found')
  get(@UserId() userId: number, @PathId(SmsNotFound) id: number) {
    return this.sms.get(userId, id);
  }
}
