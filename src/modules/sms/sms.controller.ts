import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import { IdempotentRequestId } from '#src/http/idempotency/keyed-requests.js';
import type { Page } from '#src/http/pagination/page.js';
import { ListSmsDto, SendSmsDto, SmsPriceDto } from './dto/sms.dto.js';
import { SmsFailedResponse, SmsPriceResponse, SmsResponse } from './dto/sms.response.js';
import { SmsNotFound } from './sms.errors.js';
import { SmsService } from './sms.service.js';

@ApiResource('SMS')
@Controller('user/sms')
export class SmsController {
  constructor(private readonly sms: SmsService) {}

  @Get()
  @Endpoint({ summary: 'SMS messages, newest first, paginated', page: SmsResponse })
  listSms(@UserId() userId: number, @Query() query: ListSmsDto): Promise<Page<SmsResponse>> {
    return this.sms.listSms(userId, query);
  }

  @Post()
  @Endpoint({
    summary: 'Send an SMS; its cost is taken from the balance',
    scope: 'messages',
    description:
      'Status `pending` in the answer: the provider did not answer, which is settled within a minute. A 429 may be the ' +
      'hourly spend limit of the account or of the API key.',
    message: true,
    data: SmsResponse,
    errors: [
      { status: 400, description: 'A rule of sending is violated.' },
      { status: 500, description: 'The provider refused; nothing is charged.', type: SmsFailedResponse },
    ],
  })
  sendSms(
    @UserId() userId: number,
    @Body() dto: SendSmsDto,
    @IdempotentRequestId() requestId: string | null,
  ): Promise<MessageAndData<SmsResponse>> {
    return this.sms.sendSms(userId, dto, requestId);
  }

  @Get('price')
  @Endpoint({ summary: 'What an SMS to a number costs', data: SmsPriceResponse })
  async getSmsPrice(
    @UserId() userId: number,
    @Query() { to }: SmsPriceDto,
  ): Promise<DataResult<SmsPriceResponse>> {
    return { data: await this.sms.getPrice(userId, to) };
  }

  @Get(':id')
  @Endpoint({ summary: 'One SMS message', data: SmsResponse })
  async getSms(@UserId() userId: number, @PathId(SmsNotFound) id: number): Promise<DataResult<SmsResponse>> {
    return { data: await this.sms.getSms(userId, id) };
  }
}
