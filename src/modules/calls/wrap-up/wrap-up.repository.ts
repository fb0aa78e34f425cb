import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { DueRows } from '#src/common/fairness/due-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { CallCompleted } from '../call-events.js';
import type { CallView, WrappedUp } from '../call.view.js';
import { Call } from '../entities/call.entity.js';

/** Short, so that another process soon continues the work of one that died; `keep` extends it. */
const LEASE_SECONDS = 10;
export const KEEP_LEASE_MS = 3_000;

/** Calls that have ended and are not final yet. */
@Injectable()
export class WrapUpRepository {
  private readonly dueRows: DueRows;

  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    private readonly events: DomainEventsService,
    db: DataSource,
  ) {
    this.dueRows = new DueRows(db, {
      table: 'calls',
      due: 'wrap_up_due_at',
      waiting: `wrap_up_state = 'pending'`,
    });
  }

  due(limit: number): Promise<JobRow[]> {
    return this.dueRows.read(limit);
  }

  /** Leases the row for 10 s. Null: not due, leased elsewhere, or done. */
  async claimWrapUp(id: number): Promise<CallView | null> {
    const [rows]: [{ id: number }[], number] = await this.calls.query(
      `UPDATE calls SET wrap_up_attempts = wrap_up_attempts + 1, wrap_up_due_at = now() + make_interval(secs => $2)
        WHERE id = $1 AND wrap_up_state = 'pending' AND wrap_up_due_at <= now() RETURNING id`,
      [id, LEASE_SECONDS],
    );
    return rows.length === 0 ? null : this.calls.findOneBy({ id });
  }

  /** Extends the lease; to be called every `KEEP_LEASE_MS` while the work goes on. */
  async renewLease(id: number): Promise<void> {
    await this.postponeWrapUp(id, LEASE_SECONDS * 1000);
  }

  async postponeWrapUp(id: number, ms: number): Promise<void> {
    await this.calls.query(
      `UPDATE calls SET wrap_up_due_at = now() + make_interval(secs => $2), updated_at = now()
        WHERE id = $1 AND wrap_up_state = 'pending'`,
      [id, ms / 1000],
    );
  }

  /** Runs in the transaction of the charge. @returns false when another process has finished it. */
  async finishWrapUp(
    tx: EntityManager,
    { id, accountId }: Pick<CallView, 'id' | 'accountId'>,
    result: WrappedUp,
  ): Promise<boolean> {
    const { affected } = await tx.update(
      Call,
      { id, wrapUpState: 'pending' },
      {
        ...result,
        evaluation: result.evaluation as never,
        status: 'completed',
        wrapUpState: 'done',
        holdMicros: 0n,
        wrapUpDueAt: null,
      },
    );
    if (affected !== 1) return false;
    await this.events.publish(tx, CallCompleted, { callId: id, accountId });
    return true;
  }
}
