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
export type CallKey = { id: number } | { token: string } | { carrierSid: string };

export interface ChangedCall {
  call: Call;
  /** By this change. */
  hasEnded: boolean;
}

/** Changes the row of a call under its lock and publishes the call's end. */
@Injectable()
export class CallChangesService {
  constructor(
    private readonly events: DomainEventsService,
    private readonly metrics: CallMetricsService,
  ) {}

  /**
   * Times come from the database's clock: several processes write them, and charges depend on the difference.
   *
   * @param apply changes the members of the call; what it changes is written
   */
  async change(
    tx: EntityManager,
    key: CallKey,
    apply: (call: Call, now: Date) => void,
  ): Promise<ChangedCall | null> {
    const { entities, raw } = await tx
      .createQueryBuilder(Call, 'call')
      .addSelect('clock_timestamp()', 'now')
      .where(key)
      .setLock('pessimistic_write')
      .getRawAndEntities<{ now: Date }>();
    const [call, moment] = [entities[0], raw[0]];
    if (!call || !moment) return null;
    const before = { ...call };
    apply(call, moment.now);
    const names = Object.keys(call) as (keyof Call)[];
    const changed = names.filter((column) => !isDeepStrictEqual(call[column], before[column]));
    const hasEnded = before.endedAt === null && call.endedAt !== null;
    if (changed.length > 0) {
      const columns = Object.fromEntries(changed.map((column) => [column, call[column]]));
      const update = tx.createQueryBuilder().update(Call).set(columns).where({ id: call.id });
      if (hasEnded) await this.publishEnd(tx, update, call);
      else await update.execute();
    }
    return { call, hasEnded };
  }

  /** After the commit. */
  count(changed: ChangedCall | null): void {
    if (changed?.hasEnded) this.metrics.ended(changed.call);
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
export function moveCall(call: Call, to: CallStatus, now: Date): void {
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
