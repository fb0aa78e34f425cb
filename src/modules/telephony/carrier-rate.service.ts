import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isSandboxCarrier } from '#src/config/production-rules.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { TelephonySettings } from './telephony-settings.js';

/** The carrier's own limit of a new account; what exceeds it waits in the carrier's queue, for up to a day. */
const CARRIER_DEFAULT = 1;
/** Maximum wait of a request's call. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Calls per second of the account at the carrier, shared by all processes: a row keeps the time from which the next
 * call may be placed. Calls of requests are placed before those of campaigns, because they reserve a time to come.
 */
@Injectable()
export class CarrierRateService {
  /** Null: not limited. */
  readonly perSecond: number | null;

  constructor(
    private readonly db: DataSource,
    private readonly settings: TelephonySettings,
    { carrier, calls }: RuntimeSettings,
  ) {
    this.perSecond = calls.carrierCallsPerSecond ?? (isSandboxCarrier(carrier) ? null : CARRIER_DEFAULT);
  }

  /**
   * For calls of campaigns that are placed now, at most those of one second. Unused ones must be returned in this
   * transaction.
   *
   * @returns how many of the wanted calls may be placed
   */
  async takeCalls(tx: EntityManager, wanted: number): Promise<number> {
    if (this.perSecond === null) return wanted;
    const most = Math.min(wanted, this.perSecond);
    const rows: unknown[] = await tx.query(
      `INSERT INTO carrier_rates AS rate (account_sid, next_at)
       VALUES ($1, clock_timestamp() + make_interval(secs => $2))
       ON CONFLICT (account_sid) DO UPDATE SET next_at = clock_timestamp() + make_interval(secs => $2)
        WHERE rate.next_at <= clock_timestamp()
       RETURNING 1`,
      [this.settings.accountSid, most / this.perSecond],
    );
    return rows.length > 0 ? most : 0;
  }

  async returnCalls(tx: EntityManager, count: number): Promise<void> {
    if (this.perSecond === null || count === 0) return;
    await tx.query(
      `UPDATE carrier_rates SET next_at = next_at - make_interval(secs => $2) WHERE account_sid = $1`,
      [this.settings.accountSid, count / this.perSecond],
    );
  }

  /** Milliseconds until calls of campaigns may be placed; 0: now. */
  async waitMs(): Promise<number> {
    if (this.perSecond === null) return 0;
    const [row]: { ms: number }[] = await this.db.query(
      `SELECT greatest(0, extract(epoch FROM next_at - clock_timestamp()) * 1000)::float AS ms
         FROM carrier_rates WHERE account_sid = $1`,
      [this.settings.accountSid],
    );
    return Math.ceil(row?.ms ?? 0);
  }

  /**
   * For a request's call.
   *
   * @returns in how many milliseconds it may be placed, or that this would take too long
   */
  async reserve(tx: EntityManager): Promise<{ inMs: number } | 'late'> {
    if (this.perSecond === null) return { inMs: 0 };
    const [row]: { ms: number }[] = await tx.query(
      `INSERT INTO carrier_rates AS rate (account_sid, next_at)
       VALUES ($1, clock_timestamp() + make_interval(secs => $2))
       ON CONFLICT (account_sid) DO UPDATE
          SET next_at = greatest(rate.next_at, clock_timestamp()) + make_interval(secs => $2)
        WHERE rate.next_at <= clock_timestamp() + make_interval(secs => $3)
       RETURNING greatest(0, extract(epoch FROM next_at - clock_timestamp()) * 1000 - $2 * 1000)::float AS ms`,
      [this.settings.accountSid, 1 / this.perSecond, LONGEST_WAIT_MS / 1000],
    );
    return row ? { inMs: Math.ceil(row.ms) } : 'late';
  }
}
