import { Controller, Get } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PhoneNumberResponse, PhoneNumbersResponse } from './dto/phone-number.response.js';
import { PhoneNumbersService } from './phone-numbers.service.js';

@ApiResource('Phone numbers')
@Controller('user/phone-numbers')
export class PhoneNumbersController {
  constructor(private readonly numbers: PhoneNumbersService) {}

  @Get()
  @Endpoint({ summary: 'Phone numbers that can send an SMS, newest first', body: [PhoneNumberResponse] })
  listSmsPhoneNumbers(@UserId() userId: number) {
    return this.numbers.ableToSend(userId);
  }

  @Get('all')
  @Endpoint({ summary: 'All phone numbers, newest first', wrapper: PhoneNumbersResponse })
  listPhoneNumbers(@UserId() userId: number) {
    return this.numbers.listPhoneNumbers(userId);
  }
}
