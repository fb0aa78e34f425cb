import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, In, IsNull, Repository, type EntityManager } from 'typeorm';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { CallActionsService } from '../states/call-actions.service.js';
import { CallCompleted } from '../call-events.js';
import { wasTransferred } from '../states/call-transfers.js';
import type { CallView, WrapUpResult } from '../call.view.js';
import { Call } from '../entities/call.entity.js';

/** With the claims that show whether the conversation is stored, see `Call`. */
export type EndedCall = CallView & Pick<Call, 'conversationClaim' | 'concludedClaim' | 'evaluatedAt'>;

export interface Evaluation {
  evaluation: Record<string, unknown>;
  /** Reason of missing values. */
  error: string | null;
}

/** Short, so that another process soon continues the work of a terminated one; `renewLease` extends it. */
const LEASE_SECONDS = 10;
export const WRAP_UP_LEASE_RENEWAL_MS = 3_000;
const MAX_BATCH = 50;

/** Calls that have ended and are not final yet. */
@Injectable()
export class WrapUpRepository {
  private readonly rows: LeasedRows<Lease & { id: number }>;
  private readonly claims = new BatchLoader<number, EndedCall | null>((ids) => this.claimAll(ids), MAX_BATCH);

  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    private readonly events: DomainEventsService,
    private readonly actions: CallActionsService,
    db: DataSource,
  ) {
    this.rows = new LeasedRows(db, {
      table: 'calls',
      due: 'wrap_up_due_at',
      waiting: `wrap_up_state = 'pending'`,
      seconds: LEASE_SECONDS,
      counter: 'wrap_up_attempts',
    });
  }

  findDue(limit: number): Promise<JobRow[]> {
    return this.rows.read(limit);
  }

  /** Leases the row for 10 s. Null: not due, leased elsewhere, or done. */
  claimWrapUp(id: number): Promise<EndedCall | null> {
    return this.claims.load(id);
  }

  /** Called every `WRAP_UP_LEASE_RENEWAL_MS` during the work. */
  renewLease(call: CallView): Promise<void> {
    return this.rows.renew([toClaim(call)]);
  }

  async storeEvaluation({ id }: CallView, { evaluation, error }: Evaluation): Promise<void> {
    await this.calls.update(
      { id, wrapUpState: 'pending' },
      {
        evaluation: evaluation as never,
        evaluationError: error,
        evaluatedAt: () => 'now()',
      },
    );
  }

  postponeWrapUp(call: CallView, ms: number): Promise<void> {
    return this.rows.release(toClaim(call), ms / 1000, { updated_at: new Date() });
  }

  /** Runs in the transaction of the charge. @returns false when another process has finished it. */
  async finishWrapUp(
    tx: EntityManager,
    { id, answeredBy }: Pick<CallView, 'id' | 'answeredBy'>,
    result: WrapUpResult,
  ): Promise<boolean> {
    // Before the record is final, because the call's live events end then.
    if (answeredBy !== 'human' && (await this.wasMachineCall(tx, id)))
      await this.actions.storeVoicemail(tx, id, 'waited');
    const [fact, values] = tx
      .createQueryBuilder()
      .update(Call)
      .set({
        ...result,
        evaluation: result.evaluation as never,
        status: 'completed',
        wrapUpState: 'done',
        holdMicros: 0n,
        wrapUpDueAt: null,
      })
      .where({ id, wrapUpState: 'pending' })
      .returning(`jsonb_build_object('callId', id, 'accountId', account_id) AS payload`)
      .getQueryAndParameters();
    const published = await this.events.publishForRows(tx, fact, values, [CallCompleted]);
    return published.length === 1;
  }

  private async claimAll(ids: number[]): Promise<(EndedCall | null)[]> {
    const leased = (await this.rows.claim(ids)).map(({ id }) => id);
    const calls = leased.length > 0 ? await this.calls.findBy({ id: In(leased) }) : [];
    const claimed = new Map(calls.map((call) => [call.id, call]));
    return ids.map((id) => {
      const call = claimed.get(id) ?? null;
      // Only one of concurrent callers may wrap up a call.
      claimed.delete(id);
      return call;
    });
  }

  /** Locks a call with an answering machine until its end; false when another process has finished it. */
  private async wasMachineCall(tx: EntityManager, id: number): Promise<boolean> {
    const call = await tx.findOne(Call, {
      select: { id: true, transfers: true },
      where: { id, wrapUpState: 'pending', answeredBy: 'machine', screenedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    return call !== null && !wasTransferred(call);
  }
}

const toClaim = ({ id, wrapUpAttempts }: CallView) => ({ id, claim: wrapUpAttempts });
