/** A fact in the past tense. The payload carries ids, never data that could be out of date when it is read. */
export interface EventKind<P extends object> {
  readonly name: string;
  /** Only for the compiler: what listeners of this kind receive. */
  readonly payload?: P;
}

export const eventKind = <P extends object>(name: string): EventKind<P> => ({ name });

export interface DomainEvent<P extends object = Record<string, unknown>> {
  /** Decimal text of a 64-bit number. Stable over repeated hand-overs: the listener's idempotency key. */
  id: string;
  kind: string;
  payload: P;
  occurredAt: Date;
}
