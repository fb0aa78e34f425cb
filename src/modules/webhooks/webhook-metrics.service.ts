import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { partitionsSql } from '#src/common/fairness/due-row-reader.js';
import { WAITING_DELIVERIES } from './webhook.types.js';

const DURATION_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** `retried`: the attempt failed and another one follows. */
export type DeliveryMetricLabel = 'delivered' | 'retried' | 'dead' | 'cancelled';

@Injectable()
export class WebhookMetricsService {
  private readonly outcomes: Counter<'outcome'>;
  private readonly attemptDuration: Histogram<'result'>;

  constructor({ registry }: MetricsService, db: DataSource) {
    const registers = [registry];
    this.outcomes = new Counter({
      name: 'webhook_deliveries_total',
      help: 'Deliveries by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.attemptDuration = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Time from a request to its response, by class of status or by kind of failure.',
      labelNames: ['result'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    queryGauge(
      {
        name: 'webhook_queue_age_seconds',
        help: 'How long the oldest due delivery has been waiting.',
        registers,
      },
      db,
      `${partitionsSql(WAITING_DELIVERIES)}
       SELECT COALESCE(extract(epoch FROM now() - min(oldest.due_at)), 0) AS value
         FROM parties CROSS JOIN LATERAL (
           SELECT due_at FROM webhook_deliveries waiter
            WHERE state = 'pending' AND waiter.account_id = parties.account_id
              AND waiter.receiver = parties.receiver AND due_at <= now() ORDER BY due_at LIMIT 1) oldest`,
    );
    queryGauge(
      { name: 'webhook_dead_deliveries', help: 'Deliveries given up and not replayed.', registers },
      db,
      `SELECT count(*) AS value FROM webhook_deliveries WHERE state = 'dead'`,
    );
  }

  countDeliveries(outcome: DeliveryMetricLabel, count = 1): void {
    this.outcomes.inc({ outcome }, count);
  }

  observeAttempt(result: OutboundResult): void {
    const label = result.ok ? `${Math.floor(result.statusCode / 100)}xx` : result.reason;
    this.attemptDuration.observe({ result: label }, result.durationMs / 1000);
  }
}

/** A gauge whose value is queried from the database at each scrape; omitted while the database is unavailable. */
function queryGauge(
  options: { name: string; help: string; registers: MetricsService['registry'][] },
  db: DataSource,
  sql: string,
) {
  return new Gauge({
    ...options,
    async collect() {
      const rows: { value: string }[] | null = await db.query(sql).catch(() => null);
      if (rows?.[0]) this.set(Number(rows[0].value));
      else this.reset();
    },
  });
}
