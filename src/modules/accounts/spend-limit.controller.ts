import { Body, Controller, Get, Put } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData } from '#src/http/message.response.js';
import { UpdateSpendLimitDto } from './dto/spend-limit.dto.js';
import { SpendLimitResponse } from './dto/spend-limit.response.js';
import { SpendLimitsService } from './spend-limits.service.js';

@ApiResource('Account')
@Controller('user/spend-limit')
export class SpendLimitController {
  constructor(private readonly limits: SpendLimitsService) {}

  @Get()
  @Endpoint({ summary: 'What the account may spend in an hour, and has spent', data: SpendLimitResponse })
  async getSpendLimit(@UserId() userId: number): Promise<DataResult<SpendLimitResponse>> {
    return { data: await this.limits.getLimit(userId) };
  }

  @Put()
  @Endpoint({
    summary: 'Limit what the account spends in an hour',
    description:
      'At the limit no call, message or number is paid until the next hour: requests get a 429 with `Retry-After`, and ' +
      'leads of campaigns wait. Running calls go on, and callers are answered.',
    message: true,
    data: SpendLimitResponse,
    scope: 'admin',
  })
  async updateSpendLimit(
    @UserId() userId: number,
    @Body() dto: UpdateSpendLimitDto,
  ): Promise<MessageAndData<SpendLimitResponse>> {
    return {
      message: 'Spend limit updated successfully',
      data: await this.limits.updateLimit(userId, dto),
    };
  }
}
