import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager, UpdateQueryBuilder } from 'typeorm';
import type { EventType } from '#src/events/event-type.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { type CallEnd, CallEnded, CallUnanswered } from './call-events.js';
import { CallMetricsService } from './call-metrics.service.js';
import { ENDED_STATUS, UNANSWERED, type CallStatus } from './states/call-states.js';
import { TRANSFERRED, wasTransferred, withOutcome } from './states/call-transfers.js';
import { Call } from './entities/call.entity.js';

/** A call by its id, by the token of its callbacks or by the carrier's id. */
export type CallSelector = { id: number } | { token: string } | { carrierSid: string };

export interface CallChange {
  key: CallSelector;
  /** Changes the members of the call; what it changes is written. */
  apply: (call: Call, now: Date) => void;
}

export interface ChangedCall {
  call: Call;
  /** By this change. */
  hasEnded: boolean;
}

interface LockedCall extends ChangedCall {
  before: Call;
  now: Date;
}

const hasKey = (call: Call, key: CallSelector): boolean =>
  Object.entries(key).every(([name, value]) => call[name as 'id' | 'token' | 'carrierSid'] === value);

/** Changes the row of a call under its lock and publishes the call's end. */
@Injectable()
export class CallChangesService {
  constructor(
    private readonly events: DomainEventsService,
    private readonly metrics: CallMetricsService,
  ) {}

  /** `changeCalls` of one call. */
  async changeCall(
    tx: EntityManager,
    key: CallSelector,
    apply: CallChange['apply'],
  ): Promise<ChangedCall | null> {
    const [changed] = await this.changeCalls(tx, [{ key, apply }]);
    return changed ?? null;
  }

  /**
   * Changes of one call are applied in their order and written at once. Times come from the database's clock: several
   * processes write them, and charges depend on the difference.
   *
   * @param isSkipping leaves out calls that another transaction has locked; else it waits for them
   * @returns in the order of `changes`, the same object for changes of one call; null: no such call, or left out
   */
  async changeCalls(
    tx: EntityManager,
    changes: readonly CallChange[],
    { isSkipping = false } = {},
  ): Promise<(ChangedCall | null)[]> {
    const rows = await this.lockRows(
      tx,
      changes.map(({ key }) => key),
      isSkipping,
    );
    const rowOf = changes.map(({ key }) => rows.find(({ call }) => hasKey(call, key)) ?? null);
    changes.forEach(({ apply }, n) => {
      const row = rowOf[n];
      if (row) apply(row.call, row.now);
    });
    // In the order of the locks: triggers of a call lock rows of its account.
    for (const row of rows) await this.write(tx, row);
    return rowOf;
  }

  /** By account and id, the order of all statements that lock several calls. */
  private async lockRows(
    tx: EntityManager,
    keys: readonly CallSelector[],
    isSkipping: boolean,
  ): Promise<LockedCall[]> {
    const ids = keys.flatMap((key) => ('id' in key ? key.id : []));
    const tokens = keys.flatMap((key) => ('token' in key ? key.token : []));
    const sids = keys.flatMap((key) => ('carrierSid' in key ? key.carrierSid : []));
    const conditions = [
      ...(ids.length > 0 ? ['call.id = ANY(:ids)'] : []),
      ...(tokens.length > 0 ? ['call.token = ANY(:tokens)'] : []),
      ...(sids.length > 0 ? ['call.carrierSid = ANY(:sids)'] : []),
    ];
    const query = tx
      .createQueryBuilder(Call, 'call')
      .addSelect('clock_timestamp()', 'now')
      .where(conditions.join(' OR '), { ids, tokens, sids })
      .orderBy({ 'call.accountId': 'ASC', 'call.id': 'ASC' })
      .setLock('pessimistic_write');
    if (isSkipping) query.setOnLocked('skip_locked');
    const { entities, raw } = await query.getRawAndEntities<{ now: Date }>();
    return entities.map((call, n) => ({
      call,
      before: { ...call },
      now: (raw[n] as { now: Date }).now,
      hasEnded: false,
    }));
  }

  private async write(tx: EntityManager, row: LockedCall): Promise<void> {
    const { call, before } = row;
    const names = Object.keys(call) as (keyof Call)[];
    const changed = names.filter((column) => !isDeepStrictEqual(call[column], before[column]));
    if (changed.length === 0) return;
    row.hasEnded = before.endedAt === null && call.endedAt !== null;
    const columns = Object.fromEntries(changed.map((column) => [column, call[column]]));
    const update = tx.createQueryBuilder().update(Call).set(columns).where({ id: call.id });
    if (row.hasEnded) await this.publishEnd(tx, update, call);
    else await update.execute();
  }

  /** After the commit. */
  count(changed: ChangedCall | null): void {
    if (changed?.hasEnded) this.metrics.recordEnd(changed.call);
  }

  private publishEnd(
    tx: EntityManager,
    update: UpdateQueryBuilder<Call>,
    { id, accountId, status, carrierSid }: Call,
  ): Promise<void> {
    const isAnswered = !UNANSWERED.includes(status);
    const kinds: EventType<CallEnd>[] = isAnswered ? [CallEnded] : [CallEnded, CallUnanswered];
    return this.events.publishWith(tx, update, kinds, {
      callId: id,
      accountId,
      isAnswered,
      wasPlaced: carrierSid !== null,
    });
  }
}

/** Moves a call to a state that may follow its own. */
export function setCallStatus(call: Call, to: CallStatus, now: Date): void {
  call.status = to;
  if (to === 'in-progress') call.answeredAt = now;
  if (UNANSWERED.includes(to)) endCall(call, now, false);
  if (Object.values(ENDED_STATUS).includes(to)) endCall(call, now, true);
}

function endCall(call: Call, now: Date, answered: boolean): void {
  call.endedAt = now;
  call.checkAt = null;
  // The address was needed to count what it has open.
  if (call.visitor) call.visitor = '';
  // Whoever is being called has no one to talk to any more.
  call.transfers = withOutcome(call.transfers, 'canceled');
  if (answered) {
    call.endedBy ??= 'customer';
    call.endedReason ??= wasTransferred(call) ? TRANSFERRED : 'customer_hangup';
    call.wrapUpState = 'pending';
    call.wrapUpDueAt = now;
  } else {
    // The wrap-up of an answered call charges it and releases the hold in one transaction.
    call.holdMicros = 0n;
  }
}
