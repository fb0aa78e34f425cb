import { Controller, Get } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, dataSchema, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PathId } from '#src/common/http/path-id.js';
import { IdempotentRequestId } from '#src/common/idempotency/keyed-requests.js';
import { Post } from '#src/common/idempotency/post.decorator.js';
import { Body, Query } from '#src/common/validation/params.decorator.js';
import {
  ListSmsDto,
  SendSmsDto,
  SmsFailedResponse,
  SmsPriceDto,
  SmsPriceResponse,
  SmsResponse,
} from './dto/sms.dto.js';
import { SmsNotFound } from './sms.errors.js';
import { SmsService } from './sms.service.js';

@ApiResource('SMS')
@Controller('user/sms')
export class SmsController {
  constructor(private readonly sms: SmsService) {}

  @Get()
  @Endpoint({ summary: 'SMS messages, newest first, paginated', page: SmsResponse })
  listSms(@UserId() userId: number, @Query() query: ListSmsDto) {
    return this.sms.listSms(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Send an SMS; its cost is taken from the balance',
    scope: 'messages',
    description:
      'Status `pending` in the answer: the provider did not answer. It is settled within a minute.',
    schema: { schema: dataSchema(SmsResponse, { message: true }), models: [SmsResponse] },
    errors: [
      { status: 400, description: 'A rule of sending is violated.' },
      { status: 500, description: 'The provider refused; nothing is charged.', type: SmsFailedResponse },
    ],
  })
  sendSms(
    @UserId() userId: number,
    @Body() dto: SendSmsDto,
    @IdempotentRequestId() requestId: string | null,
  ) {
    return this.sms.sendSms(userId, dto, requestId);
  }

  @Get('price')
  @Endpoint({ summary: 'What an SMS to a number costs', data: SmsPriceResponse })
  getSmsPrice(@UserId() userId: number, @Query() { to }: SmsPriceDto) {
    return this.sms.priceTo(userId, to);
  }

  @Get(':id')
  @Endpoint({ summary: 'One SMS message', data: SmsResponse })
  getSms(@UserId() userId: number, @PathId(SmsNotFound) id: number) {
    return this.sms.getSms(userId, id);
  }
}
