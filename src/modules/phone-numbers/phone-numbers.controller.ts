import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource } from '#src/common/http/api-docs.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { PhoneNumberResponse, PhoneNumbersResponse } from './dto/phone-number.response.js';
import { PhoneNumbersService } from './phone-numbers.service.js';

@ApiResource('Phone numbers')
@Controller('user/phone-numbers')
export class PhoneNumbersController {
  constructor(private readonly numbers: PhoneNumbersService) {}

  @Get()
  @ApiOperation({
    operationId: 'listSmsPhoneNumbers',
    summary: 'Phone numbers that can send an SMS, newest first',
  })
  @ApiOkResponse({ type: [PhoneNumberResponse] })
  ableToSend(@UserId() userId: number) {
    return this.numbers.ableToSend(userId);
  }

  @Get('all')
  @ResponseMessage()
  @ApiOperation({ operationId: 'listPhoneNumbers', summary: 'All phone numbers, newest first' })
  @ApiOkResponse({ type: PhoneNumbersResponse })
  all(@UserId() userId: number) {
    return this.numbers.listPhoneNumbers(userId);
  }
}
