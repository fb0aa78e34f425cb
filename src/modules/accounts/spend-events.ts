import { defineEvent } from '#src/events/event-type.js';

export interface SpendLimitPayload {
  accountId: number;
  alertId: number;
}

/** Once an hour for each limit; published by `note_spend_limits` of the database. */
export const SpendLimitReached = defineEvent<SpendLimitPayload>('spend-limit.reached');
