import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';
import { MetricsService } from './metrics.service.js';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** How long requests take, by route template: ids in paths would make a series each. */
@Injectable()
export class RequestMetricsService {
  constructor(metrics: MetricsService, host: HttpAdapterHost) {
    const duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request to the end of the answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers: [metrics.registry],
    });
    // A command has no HTTP server. Here, because hooks reach only routes that are registered after them.
    const fastify = host.httpAdapter?.getInstance<FastifyInstance>();
    fastify?.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown';
      const labels = { method: request.method, route, status: String(reply.statusCode) };
      duration.observe(labels, reply.elapsedTime / 1000);
    });
  }
}
