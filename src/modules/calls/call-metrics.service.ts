import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsService } from '#src/metrics/metrics.service.js';
import type { Call } from './entities/call.entity.js';

/** Format of the service's own reasons, unlike the carrier's texts. */
const REASON = /^[a-z_]{1,40}$/;

/** Calls that ended in this process. */
@Injectable()
export class CallMetricsService {
  private readonly ends: Counter<'type' | 'status' | 'reason'>;

  constructor({ registry }: MetricsService) {
    this.ends = new Counter({
      name: 'calls_ended_total',
      help: 'Calls that ended, by direction, status and ended_reason; `none` without a reason.',
      labelNames: ['type', 'status', 'reason'],
      registers: [registry],
    });
  }

  recordEnd({ type, status, endedReason }: Pick<Call, 'type' | 'status' | 'endedReason'>): void {
    const reason = endedReason === null ? 'none' : REASON.test(endedReason) ? endedReason : 'other';
    this.ends.inc({ type, status, reason });
  }
}
