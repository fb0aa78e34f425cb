import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { RestoreGateService } from '#src/database/restore-gate.service.js';

/**
 * Metrics of this process, served at `/metrics`. Modules add theirs to `registry`. Labels have few values: no account,
 * phone number or URL.
 */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}

/** Whether work is held back after a restore. */
@Injectable()
export class RestoreMetricsService {
  constructor({ registry }: MetricsService, gate: RestoreGateService) {
    new Gauge({
      name: 'installation_restored',
      help: '1 while a restored database waits for its release: nothing is dialled, sent or charged.',
      registers: [registry],
      collect() {
        this.set(Number(gate.isHeld));
      },
    });
  }
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Request durations by route template; with paths each id would be a series of its own. */
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
    // Undefined in a command. In the constructor, because a hook applies to routes that are registered after it.
    const fastify = host.httpAdapter?.getInstance<FastifyInstance>();
    fastify?.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown';
      const labels = { method: request.method, route, status: String(reply.statusCode) };
      duration.observe(labels, reply.elapsedTime / 1000);
    });
  }
}
