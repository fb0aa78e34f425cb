import { Global, Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { MetricsService, RequestMetricsService, RestoreMetricsService } from './metrics.service.js';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [MetricsService, RequestMetricsService, RestoreMetricsService],
  exports: [MetricsService],
})
export class MetricsModule {}
