import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assumeFewRows } from '#src/common/persistence/batches.js';
import { toStorable } from '#src/common/persistence/storable.js';
import { DomainEventsService, type PublishedEvent } from '#src/events/domain-events.service.js';
import { CallEnded, CallUnanswered } from './call-events.js';
import { CallMetricsService } from './call-metrics.service.js';
import { ENDED_STATUS, UNANSWERED_STATUSES, type CallStatus } from './states/call-states.js';
import { TRANSFERRED_REASON, wasTransferred, applyTransferOutcome } from './states/call-transfers.js';
import { Call } from './entities/call.entity.js';

/** A call by its id, by the token of its callbacks or by the carrier's id. */
export type CallSelector = { id: number } | { token: string } | { carrierSid: string };

/** Properties that a change may set, with their columns. */
const COLUMNS = {
  token: 'token',
  status: 'status',
  carrierSid: 'carrier_sid',
  visitor: 'visitor',
  answeredBy: 'answered_by',
  endedBy: 'ended_by',
  endedReason: 'ended_reason',
  duration: 'duration',
  transfers: 'transfers',
  recordingUrl: 'recording_url',
  holdMicros: 'hold_micros',
  maxDuration: 'max_duration',
  checkAt: 'check_at',
  wrapUpState: 'wrap_up_state',
  wrapUpDueAt: 'wrap_up_due_at',
  answeredAt: 'answered_at',
  endedAt: 'ended_at',
} as const satisfies Partial<Record<keyof Call, string>>;
type Column = keyof typeof COLUMNS;

/** A locked call. */
export type MutableCall = Readonly<Omit<Call, Column>> & Pick<Call, Column>;

export interface CallChange {
  key: CallSelector;
  /** Sets properties of the call; changed ones are written. */
  apply: (call: MutableCall, now: Date) => void;
}

export interface ChangedCall {
  call: Call;
  /** Whether this change ended the call. */
  hasEnded: boolean;
}

interface LockedCall extends ChangedCall {
  before: Call;
  now: Date;
}

/**
 * Updates calls ($1) in the order of their locks: triggers of a call lock rows of its account. Only the given columns
 * are written: others may have microseconds, which a `Date` lacks.
 */
export const UPDATE_CALLS_SQL = `UPDATE calls SET updated_at = now(),
         ${Object.values(COLUMNS)
           .map(
             (name) =>
               `${name} = CASE WHEN given.columns ? '${name}' THEN new.${name} ELSE calls.${name} END`,
           )
           .join(',\n         ')}
    FROM jsonb_to_recordset($1) AS given (id int, columns jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::calls, given.columns) AS new
   WHERE calls.id = given.id AND ${assumeFewRows('given.id')}`;

const hasKey = (call: Call, key: CallSelector): boolean =>
  Object.entries(key).every(([name, value]) => call[name as 'id' | 'token' | 'carrierSid'] === value);

/** Changes rows of calls under their locks and publishes the ends of calls. */
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
   * Applies changes of one call in order and writes them at once. Times are from the database's clock: several
   * processes write them, and charges depend on their difference.
   *
   * @param isSkipping leaves out calls locked by another transaction, instead of waiting for them
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
    await this.writeAll(tx, rows);
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

  /** Writes the changes and the events of ended calls in one statement. */
  private async writeAll(tx: EntityManager, rows: readonly LockedCall[]): Promise<void> {
    for (const row of rows) row.hasEnded = row.before.endedAt === null && row.call.endedAt !== null;
    const changed = rows.map((row) => ({ row, columns: changedValues(row) }));
    const given = changed.filter(({ columns }) => Object.keys(columns).length > 0);
    if (given.length === 0) return;
    const events = given.flatMap(({ row: { call, hasEnded } }) => (hasEnded ? toEndEvents(call) : []));
    const values = given.map(({ row, columns }) => ({ id: row.call.id, columns }));
    await this.events.publishWithChange(tx, UPDATE_CALLS_SQL, [JSON.stringify(values)], events);
  }

  /** Counts an ended call in the metrics. Called after the commit. */
  countEndedCall(changed: ChangedCall | null): void {
    if (changed?.hasEnded) this.metrics.recordEnd(changed.call);
  }
}

/** Changed values by column. */
function changedValues({ call, before }: LockedCall): Record<string, unknown> {
  const changed = (Object.keys(COLUMNS) as Column[]).filter(
    (name) => !isDeepStrictEqual(call[name], before[name]),
  );
  return Object.fromEntries(
    changed.map((name) => {
      const value = call[name];
      return [COLUMNS[name], typeof value === 'bigint' ? String(value) : toStorable(value)];
    }),
  );
}

function toEndEvents({ id, accountId, status, carrierSid }: Call): PublishedEvent[] {
  const isAnswered = !UNANSWERED_STATUSES.includes(status);
  const payload = { callId: id, accountId, isAnswered, wasPlaced: carrierSid !== null };
  const kinds = isAnswered ? [CallEnded] : [CallEnded, CallUnanswered];
  return kinds.map(({ name }) => ({ kind: name, payload }));
}

/** Moves a call to an allowed next status. */
export function setCallStatus(call: MutableCall, to: CallStatus, now: Date): void {
  call.status = to;
  if (to === 'in-progress') call.answeredAt = now;
  if (UNANSWERED_STATUSES.includes(to)) endCall(call, now, false);
  if (Object.values(ENDED_STATUS).includes(to)) endCall(call, now, true);
}

function endCall(call: MutableCall, now: Date, answered: boolean): void {
  call.endedAt = now;
  call.checkAt = null;
  // The address was needed only to count its open calls.
  if (call.visitor) call.visitor = '';
  // After the end a pending transfer has no customer.
  call.transfers = applyTransferOutcome(call.transfers, 'canceled');
  if (answered) {
    call.endedBy ??= 'customer';
    call.endedReason ??= wasTransferred(call) ? TRANSFERRED_REASON : 'customer_hangup';
    call.wrapUpState = 'pending';
    call.wrapUpDueAt = now;
  } else {
    // The wrap-up of an answered call charges it and releases the hold in one transaction.
    call.holdMicros = 0n;
  }
}
