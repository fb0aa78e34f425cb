import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, MoreThanOrEqual, Repository, type EntityManager } from 'typeorm';
import { DueRows } from '#src/common/fairness/due-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { Call } from './entities/call.entity.js';

const LEASE_SECONDS = 30;

/** Calls whose state or price must be requested from the carrier. */
@Injectable()
export class CallReconciliationRepository {
  private readonly silent: DueRows;
  private readonly unpriced: DueRows;

  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    db: DataSource,
  ) {
    this.silent = new DueRows(db, { table: 'calls', due: 'check_at', waiting: 'check_at IS NOT NULL' });
    this.unpriced = new DueRows(db, {
      table: 'calls',
      due: 'price_check_at',
      waiting: 'price_check_at IS NOT NULL',
    });
  }

  async due(limit: number): Promise<JobRow[]> {
    const half = Math.ceil(limit / 2);
    return [...(await this.silent.read(half)), ...(await this.unpriced.read(half))];
  }

  /** Leases the row. Null: not due, or leased elsewhere. */
  async claimForCheck(id: number): Promise<Call | null> {
    const [rows]: [{ id: number }[], number] = await this.calls.query(
      `UPDATE calls SET check_at = CASE WHEN check_at <= now() THEN now() + make_interval(secs => $2) ELSE check_at END,
              price_check_at = CASE WHEN price_check_at <= now() THEN now() + make_interval(secs => $2)
                                    ELSE price_check_at END
        WHERE id = $1 AND (check_at <= now() OR price_check_at <= now()) RETURNING id`,
      [id, LEASE_SECONDS],
    );
    return rows.length === 0 ? null : this.calls.findOneBy({ id });
  }

  async checkAgain(id: number, inMs: number): Promise<void> {
    await this.calls.query(
      `UPDATE calls SET check_at = now() + make_interval(secs => $2), updated_at = now()
        WHERE id = $1 AND ended_at IS NULL`,
      [id, inMs / 1000],
    );
  }

  /** Null: never. */
  async priceAgain(id: number, inMs: number | null): Promise<void> {
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

  /** Which of the carrier's ids belong to a record already. */
  async knownSids(sids: string[]): Promise<Set<string>> {
    const rows: { carrier_sid: string }[] = await this.calls.query(
      `SELECT carrier_sid FROM calls WHERE carrier_sid = ANY($1)`,
      [sids],
    );
    return new Set(rows.map((row) => row.carrier_sid));
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
