import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SlidingFailureRate } from './sliding-failure-rate.js';
import { TelephonySettings } from './telephony-settings.js';

/** `free`: the carrier works. `probe`: this one call shows whether it works again. `refused`: no call for now. */
export type CarrierAdmission = 'free' | 'probe' | 'refused';

const FIRST_PROBE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 30;
/** The carrier's `Retry-After` is obeyed up to this time. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

/**
 * Stops the calls of campaigns while the carrier fails: half of at least 5 requests within 120 s, each process by the
 * requests that it sent. The first probe goes out after 5 s, the next ones 10, 20, 30, 30 s … later. The stored state
 * holds for all processes.
 */
@Injectable()
export class CarrierBreakerService {
  private readonly requests = new SlidingFailureRate();
  /** Whether this process has seen the row, which ends with the next call that the carrier takes. */
  private isKnown = false;

  constructor(
    private readonly db: DataSource,
    private readonly settings: TelephonySettings,
  ) {}

  /** Whether calls of campaigns wait for the carrier; now and then one of them is placed. */
  async isFailing(): Promise<boolean> {
    return (await this.state(this.db.manager)) !== null;
  }

  /** Milliseconds until a call of a campaign may be placed, the next probe where the carrier fails; 0: now. */
  async waitMs(): Promise<number> {
    return Math.ceil((await this.state(this.db.manager))?.waitMs ?? 0);
  }

  /** Called in the transaction that opens a call, which also returns a probe without a call. */
  async admitCall(tx: EntityManager): Promise<CarrierAdmission> {
    const state = await this.state(tx);
    if (!state) return 'free';
    if (state.waitMs > 0) return 'refused';
    const [, taken]: [unknown[], number] = await tx.query(
      `UPDATE carrier_breakers SET probes = probes + 1,
              probe_at = now() + make_interval(secs => least($2 * 2 ^ least(probes + 1, 10), $3))
        WHERE account_sid = $1 AND probe_at <= now()`,
      [this.settings.accountSid, FIRST_PROBE_SECONDS, LONGEST_PAUSE_SECONDS],
    );
    return taken === 1 ? 'probe' : 'refused';
  }

  /** In the transaction of `admit`. */
  async returnProbe(tx: EntityManager): Promise<void> {
    await tx.query(
      'UPDATE carrier_breakers SET probes = probes - 1, probe_at = now() WHERE account_sid = $1',
      [this.settings.accountSid],
    );
  }

  /** The carrier took a call, or refused its number only. */
  async recordSuccess(): Promise<void> {
    this.requests.recordRequest(true);
    if (!this.isKnown) return;
    this.isKnown = false;
    this.requests.clear();
    await this.db.query('DELETE FROM carrier_breakers WHERE account_sid = $1', [this.settings.accountSid]);
  }

  /** The carrier refused a call, for any reason except its number. @param retryAfterMs from the carrier's response */
  async recordFailure(retryAfterMs: number | null): Promise<void> {
    this.requests.recordRequest(false);
    if (retryAfterMs === null && !this.requests.isHalfFailed()) return;
    await this.open(Math.min((retryAfterMs ?? 0) / 1000, LONGEST_RETRY_AFTER_SECONDS));
  }

  /**
   * A request for a call got no response, and neither does the request for its state. While such calls hold all slots,
   * no further requests are sent: these two failures suffice, unless the carrier accepted a call in between.
   *
   * @param requestedAt when the call was requested
   */
  async recordUnreachable(requestedAt: Date): Promise<void> {
    if (!this.requests.hasSucceededSince(requestedAt.getTime())) await this.open(0);
  }

  /** @param seconds from the carrier's response */
  private async open(seconds: number): Promise<void> {
    // Refusals of requests that were sent before change nothing but the carrier's own wish.
    await this.db.query(
      `INSERT INTO carrier_breakers AS breaker (account_sid, probe_at)
       VALUES ($1, now() + make_interval(secs => greatest($2::float, $3::float)))
       ON CONFLICT (account_sid) DO UPDATE
          SET probe_at = greatest(breaker.probe_at, now() + make_interval(secs => $3::float))`,
      [this.settings.accountSid, FIRST_PROBE_SECONDS, seconds],
    );
    this.isKnown = true;
  }

  /** Null: the carrier works. `waitMs`: until the next probe is due. */
  private async state(db: EntityManager): Promise<{ waitMs: number } | null> {
    const [row]: { waitMs: number }[] = await db.query(
      `SELECT greatest(0, extract(epoch FROM probe_at - now()) * 1000)::float AS "waitMs"
         FROM carrier_breakers WHERE account_sid = $1`,
      [this.settings.accountSid],
    );
    this.isKnown = row !== undefined;
    return row ?? null;
  }
}
