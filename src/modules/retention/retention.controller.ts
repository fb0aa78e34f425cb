import { Body, Controller, Get, Put } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageAndData } from '#src/http/message.response.js';
import { UpdateRetentionDto } from './dto/retention-input.dto.js';
import { RetentionResponse } from './dto/retention.response.js';
import { RetentionPoliciesService } from './retention-policies.service.js';

@ApiResource('Account')
@Controller('user/retention')
export class RetentionController {
  constructor(private readonly policies: RetentionPoliciesService) {}

  @Get()
  @Endpoint({ summary: 'How long the contents of calls and messages are kept', data: RetentionResponse })
  async getRetention(@UserId() userId: number): Promise<DataResult<RetentionResponse>> {
    return { data: await this.policies.getRetention(userId) };
  }

  @Put()
  @Endpoint({
    summary: 'Change how long the contents of calls and messages are kept',
    description:
      'Fields that are left out stay; `retention` of an assistant can only shorten the time. What is older is removed ' +
      'within about an hour, for good, in every place.',
    message: true,
    data: RetentionResponse,
    scope: 'admin',
  })
  async updateRetention(
    @UserId() userId: number,
    @Body() dto: UpdateRetentionDto,
  ): Promise<MessageAndData<RetentionResponse>> {
    return {
      message: 'Retention updated successfully',
      data: await this.policies.updateRetention(userId, dto),
    };
  }
}
