import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { LeadLookupService } from '../leads/lead-lookup.service.js';
import { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';

/** However often `/metrics` is scraped, a gauge is read from the database once in this time. */
const GAUGE_CACHE_MS = 15_000;

/**
 * Metrics of the dialler. Counters count in this process; gauges are read from the database and are the same in every
 * process. Waits for the calls per second of a carrier get a histogram here.
 */
@Injectable()
export class DialMetricsService {
  private readonly placedCalls: Counter;
  private readonly outcomes: Counter<'outcome'>;

  constructor(
    { registry }: MetricsService,
    private readonly db: DataSource,
    private readonly breaker: CarrierBreakerService,
    private readonly leads: LeadLookupService,
  ) {
    const registers = [registry];
    this.placedCalls = new Counter({
      name: 'dialer_calls_placed_total',
      help: 'Calls that the carrier took, of campaigns and of make_call.',
      registers,
    });
    this.outcomes = new Counter({
      name: 'dialer_attempts_total',
      help: 'Attempts to reach leads whose outcome is known, by the status of the call.',
      labelNames: ['outcome'],
      registers,
    });
    const gauge = (name: string, help: string, read: () => Promise<number>): void => {
      const value = cachedReader(read, GAUGE_CACHE_MS);
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const now = await value();
          // Omitted while the database is away.
          if (now === null) this.reset();
          else this.set(now);
        },
      });
    };
    gauge('dialer_slots_in_use', 'Outbound calls that occupy a slot now.', () => this.countSlots());
    gauge('dialer_carrier_failing', '1 while calls of campaigns wait for the carrier.', async () =>
      Number(await this.breaker.isFailing()),
    );
    gauge('dialer_oldest_due_lead_seconds', 'How long the oldest due lead of a running campaign waits.', () =>
      this.leads.findOldestDueSeconds(),
    );
  }

  countPlaced(): void {
    this.placedCalls.inc();
  }

  /** @param outcome status of the call */
  countOutcome(outcome: string): void {
    this.outcomes.inc({ outcome });
  }

  private async countSlots(): Promise<number> {
    const [row]: { n: number }[] = await this.db.query(
      `SELECT count(*)::int AS n FROM call_attempts WHERE state <> 'closed' AND slot_until > now()`,
    );
    return row?.n ?? 0;
  }
}

/** Reads at most once in the given time; null when that failed. */
export function cachedReader(
  read: () => Promise<number>,
  ms: number,
  now: () => number = () => performance.now(),
): () => Promise<number | null> {
  let last: { at: number; value: Promise<number | null> } | null = null;
  return () => {
    if (!last || now() - last.at >= ms) last = { at: now(), value: read().catch(() => null) };
    return last.value;
  };
}
