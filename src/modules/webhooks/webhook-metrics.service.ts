import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { partitionsSql } from '#src/common/fairness/due-rows.js';
import { WAITING_DELIVERIES } from './webhook.types.js';

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** `retried` is an attempt that failed and will be followed by another. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'dead' | 'cancelled';

@Injectable()
export class WebhookMetricsService {
  private readonly outcomes: Counter<'outcome'>;
  private readonly latency: Histogram<'result'>;

  constructor({ registry }: MetricsService, db: DataSource) {
    const registers = [registry];
    this.outcomes = new Counter({
      name: 'webhook_deliveries_total',
      help: 'What became of deliveries, counted when it was decided.',
      labelNames: ['outcome'],
      registers,
    });
    this.latency = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Time from a request to its answer, by class of status or by kind of failure.',
      labelNames: ['result'],
      buckets: SECONDS,
      registers,
    });
    gauge(
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
    gauge(
      { name: 'webhook_dead_deliveries', help: 'Deliveries that were given up and not replayed.', registers },
      db,
      `SELECT count(*) AS value FROM webhook_deliveries WHERE state = 'dead'`,
    );
  }

  decided(outcome: DeliveryOutcome, count = 1): void {
    this.outcomes.inc({ outcome }, count);
  }

  attempted(result: OutboundResult): void {
    const label = result.ok ? `${Math.floor(result.statusCode / 100)}xx` : result.reason;
    this.latency.observe({ result: label }, result.durationMs / 1000);
  }
}

/** A gauge whose value is queried from the database at each scrape; omitted when the database is away. */
function gauge(
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
