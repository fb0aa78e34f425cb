import { SetMetadata } from '@nestjs/common';

/** A fact in the past tense. The payload carries ids, never data that could be out of date when it is read. */
export interface EventType<P extends object> {
  readonly name: string;
  /** Only for the compiler: what listeners of this kind receive. */
  readonly payload?: P;
}

export const defineEvent = <P extends object>(name: string): EventType<P> => ({ name });

export interface DomainEvent<P extends object = Record<string, unknown>> {
  /** Decimal text of a 64-bit number. Stable over repeated hand-overs: the listener's idempotency key. */
  id: string;
  kind: string;
  payload: P;
  occurredAt: Date;
}

export const EVENT_LISTENER = 'events:listener';

/**
 * Marks a method as listener of an event kind. It may be called more than once for one event, also by two
 * processes: it must be idempotent, and it only enqueues or writes rows. Throwing hands the event over again.
 */
export const OnDomainEvent =
  <P extends object>(kind: EventType<P>) =>
  (
    target: object,
    property: string | symbol,
    descriptor: TypedPropertyDescriptor<(event: DomainEvent<P>) => Promise<void>>,
  ): void =>
    void SetMetadata(EVENT_LISTENER, kind.name)(target, property, descriptor as PropertyDescriptor);
