import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import { IdempotentRequestId } from '#src/http/idempotency/keyed-requests.js';
import {
  PurchasePhoneNumberDto,
  SearchPhoneNumbersDto,
  UpdatePhoneNumberDto,
} from './dto/phone-number-input.dto.js';
import {
  AvailableNumbersResponse,
  PhoneNumberResponse,
  PhoneNumbersResponse,
  PurchasedNumberResponse,
} from './dto/phone-number.response.js';
import { PhoneNumberPurchasesService } from './phone-number-purchases.service.js';
import { PhoneNumberReleasesService } from './phone-number-releases.service.js';
import { PhoneNumberSearchService } from './phone-number-search.service.js';
import {
  BalanceTooLowForNumber,
  PhoneNumberNotFound,
  PurchaseFailed,
  SearchFailed,
} from './phone-numbers.errors.js';
import { PhoneNumbersService } from './phone-numbers.service.js';

@ApiResource('Phone numbers')
@Controller('user/phone-numbers')
export class PhoneNumbersController {
  constructor(
    private readonly numbers: PhoneNumbersService,
    private readonly available: PhoneNumberSearchService,
    private readonly purchases: PhoneNumberPurchasesService,
    private readonly releases: PhoneNumberReleasesService,
  ) {}

  @Get()
  @Endpoint({ summary: 'Phone numbers that can send an SMS, newest first', body: [PhoneNumberResponse] })
  listSmsPhoneNumbers(@UserId() userId: number): Promise<PhoneNumberResponse[]> {
    return this.numbers.listSmsCapable(userId);
  }

  @Get('all')
  @Endpoint({ summary: 'All phone numbers, newest first', body: PhoneNumbersResponse })
  async listPhoneNumbers(@UserId() userId: number): Promise<PhoneNumbersResponse> {
    return { data: await this.numbers.listPhoneNumbers(userId) };
  }

  @Get('search')
  @Endpoint({
    summary: 'Phone numbers for sale: up to 20 local, 20 mobile and 20 toll-free ones of a country',
    body: AvailableNumbersResponse,
    errors: [SearchFailed],
  })
  async searchPhoneNumbers(
    @UserId() userId: number,
    @Query() query: SearchPhoneNumbersDto,
  ): Promise<AvailableNumbersResponse> {
    return { data: await this.available.searchPhoneNumbers(userId, query) };
  }

  @Post('purchase')
  @Endpoint({
    scope: 'admin',
    summary: 'Buy a phone number; its price is taken from the balance, now and every month',
    description:
      'A month that the balance does not cover leaves the number active for three days, after which it is released. ' +
      'Where the provider did not answer, the message says so, and the number has no active subscription yet: it is ' +
      'settled within two minutes; a number that was not bought is refunded and disappears.',
    status: 201,
    message: true,
    data: PurchasedNumberResponse,
    errors: [BalanceTooLowForNumber, PurchaseFailed],
  })
  purchasePhoneNumber(
    @UserId() userId: number,
    @Body() { phone_number }: PurchasePhoneNumberDto,
    @IdempotentRequestId() requestId: string | null,
  ): Promise<MessageAndData<PurchasedNumberResponse>> {
    return this.purchases.purchasePhoneNumber(userId, phone_number, requestId);
  }

  @Put(':id')
  @Endpoint({
    summary: 'Name a phone number',
    message: true,
    data: PhoneNumberResponse,
  })
  async updatePhoneNumber(
    @UserId() userId: number,
    @PathId(PhoneNumberNotFound) id: number,
    @Body() dto: UpdatePhoneNumberDto,
  ): Promise<MessageAndData<PhoneNumberResponse>> {
    return {
      message: 'Phone number updated successfully',
      data: await this.numbers.updatePhoneNumber(userId, id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({
    scope: 'admin',
    summary: 'Release a phone number; assistants and campaigns let it go',
    description:
      'What is left of the month is not refunded. While the provider is away its part is done later.',
    errors: [{ status: 422, description: 'A call runs on it, or its purchase is not confirmed yet.' }],
  })
  async releasePhoneNumber(
    @UserId() userId: number,
    @PathId(PhoneNumberNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.releases.releasePhoneNumber(userId, id);
    return { message: 'Phone number released successfully' };
  }
}
