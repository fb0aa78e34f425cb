import cluster from 'node:cluster';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#src/auth/auth.decorators.js';
import { metricsOfWorkers } from './metrics-of-workers.js';
import { MetricsService } from './metrics.service.js';

@Public()
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  scrape(): Promise<string> {
    return cluster.isWorker ? metricsOfWorkers() : this.metrics.registry.metrics();
  }
}
