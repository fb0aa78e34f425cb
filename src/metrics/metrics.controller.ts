import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#src/auth/auth.decorators.js';
import { MetricsService } from './metrics.service.js';

/** Milliseconds. Cache time: metrics take time to compute, and anybody who reaches the port can request them. */
const KEPT_MS = 1_000;

@Public()
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  private scraped: { at: number; text: Promise<string> } | null = null;

  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  scrape(): Promise<string> {
    if (this.scraped === null || Date.now() - this.scraped.at >= KEPT_MS) {
      const text = this.metrics.registry.metrics();
      this.scraped = { at: Date.now(), text };
      text.catch(() => (this.scraped = null));
    }
    return this.scraped.text;
  }
}
