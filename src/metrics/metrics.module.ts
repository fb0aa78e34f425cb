import { Global, Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { RequestMetricsService } from './request-metrics.service.js';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [MetricsService, RequestMetricsService],
  exports: [MetricsService],
})
export class MetricsModule {}
