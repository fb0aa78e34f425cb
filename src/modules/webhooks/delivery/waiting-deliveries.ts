import type { DueSource } from '#src/common/fairness/due-rows.js';

/** Shared out by receiver too, so that a long queue of one hides no row of the same account's others. */
export const WAITING_DELIVERIES = {
  table: 'webhook_deliveries',
  due: 'due_at',
  waiting: `state = 'pending'`,
  parties: ['account_id', 'receiver'],
} satisfies DueSource;
