import { SetMetadata } from '@nestjs/common';
import type { DomainEvent, EventKind } from './event-kind.js';

export const EVENT_LISTENER = 'events:listener';

/**
 * Marks a method as listener of an event kind. It may be called more than once for one event, also by two
 * processes: it must be idempotent, and it only enqueues or writes rows. Throwing hands the event over again.
 */
export const OnEvent =
  <P extends object>(kind: EventKind<P>) =>
  (
    target: object,
    property: string | symbol,
    descriptor: TypedPropertyDescriptor<(event: DomainEvent<P>) => Promise<void>>,
  ): void =>
    void SetMetadata(EVENT_LISTENER, kind.name)(target, property, descriptor as PropertyDescriptor);
