import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, In, IsNull, MoreThanOrEqual, Repository, type EntityManager } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { Call } from '../entities/call.entity.js';

/**
 * Longer than a request to the carrier. After a process terminates, its claimed calls wait this long.
 */
const LEASE_SECONDS = 15;

/** Calls whose state or price must be requested from the carrier. */
@Injectable()
export class CallReconciliationRepository {
  private readonly unreported: LeasedRows<Lease>;
  private readonly unpriced: LeasedRows<Lease>;

  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    db: DataSource,
  ) {
    const column = (due: string) =>
      new LeasedRows(db, { table: 'calls', due, waiting: `${due} IS NOT NULL`, seconds: LEASE_SECONDS });
    this.unreported = column('check_at');
    this.unpriced = column('price_check_at');
  }

  async findDue(limit: number): Promise<JobRow[]> {
    const half = Math.ceil(limit / 2);
    return [...(await this.unreported.read(half)), ...(await this.unpriced.read(half))];
  }

  /** Leases the row. Null: not due, or leased elsewhere. */
  async claimForCheck(id: number): Promise<Call | null> {
    const claimed = [...(await this.unreported.claim([id])), ...(await this.unpriced.claim([id]))];
    return claimed.length === 0 ? null : this.calls.findOneBy({ id });
  }

  /** Schedules the next check after this time, or earlier for a due hang-up. */
  async scheduleCheck(id: number, inMs: number): Promise<void> {
    await this.calls.query(
      `UPDATE calls SET updated_at = now(),
              check_at = now() + LEAST(make_interval(secs => $2),
                                       CASE WHEN hang_up_at > now() THEN hang_up_at - now() END)
        WHERE id = $1 AND ended_at IS NULL`,
      [id, inMs / 1000],
    );
  }

  /** @param inMs null: never */
  async schedulePriceCheck(id: number, inMs: number | null): Promise<void> {
    await this.calls.query(
      `UPDATE calls SET price_check_at = now() + make_interval(secs => $2), updated_at = now() WHERE id = $1`,
      [id, inMs === null ? null : inMs / 1000],
    );
  }

  async setCarrierPrice(
    tx: EntityManager,
    id: number,
    carrierMicros: bigint,
    totalMicros: bigint,
  ): Promise<void> {
    await tx.update(Call, id, {
      carrierCostMicros: carrierMicros,
      totalCostMicros: totalMicros,
      priceCheckAt: null,
    });
  }

  /** The carrier's ids that belong to a record. */
  async findKnownSids(sids: string[]): Promise<Set<string>> {
    const known = await this.calls.find({ select: { carrierSid: true }, where: { carrierSid: In(sids) } });
    return new Set(known.map(({ carrierSid }) => carrierSid ?? ''));
  }

  /** Other calls between the same two numbers whose carrier id is unknown too: the oldest is adopted first. */
  async isOldestUnplaced({ id, assistantPhoneNumber, clientPhoneNumber, createdAt }: Call): Promise<boolean> {
    const [oldest] = await this.calls.find({
      where: {
        assistantPhoneNumber,
        clientPhoneNumber,
        carrierSid: IsNull(),
        endedAt: IsNull(),
        createdAt: MoreThanOrEqual(new Date(createdAt.getTime() - 600_000)),
      },
      order: { id: 'ASC' },
      take: 1,
    });
    return oldest?.id === id;
  }
}
