import { Controller, Get, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult } from '#src/http/message.response.js';
import { AnalyticsService } from './analytics.service.js';
import { AnswerRateDto, CallAnalyticsDto } from './dto/analytics-query.dto.js';
import { AnswerRateResponse, CallAnalyticsResponse } from './dto/analytics.response.js';

@ApiResource('Analytics')
@Controller('user/analytics')
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  @Get('calls')
  @Endpoint({
    summary: 'Finished calls over time, in groups',
    description: [
      'Finished calls whose records are not deleted, in the interval in which they began. `answered`: not by a machine. `seconds`: of all connected calls; `average_duration`: of one of them. `cost`: with all fees. `success`: the share of calls in which the first boolean field of the evaluation is true, of those in which it has a value. `response_p50` and `response_p95`: seconds from the end of what a customer said to the beginning of the answer, interpolated between 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4 and 6 seconds.',
      'Groups behind the twenty biggest are `other`. A text field of evaluations has at most twenty values of up to 40 characters; what comes later is `other`, what is longer does not count. Calls are counted by hours of UTC: in a zone that is half an hour off, the hour in which a day begins counts to the day before.',
    ].join('\n\n'),
    data: CallAnalyticsResponse,
  })
  async getCallAnalytics(
    @UserId() userId: number,
    @Query() query: CallAnalyticsDto,
  ): Promise<DataResult<CallAnalyticsResponse>> {
    return { data: await this.analytics.analyzeCalls(userId, query) };
  }

  @Get('answer-rate')
  @Endpoint({
    summary: 'When people answer: outbound calls by weekday and hour',
    data: AnswerRateResponse,
  })
  async getAnswerRate(
    @UserId() userId: number,
    @Query() query: AnswerRateDto,
  ): Promise<DataResult<AnswerRateResponse>> {
    return { data: await this.analytics.getAnswerRate(userId, query) };
  }
}
