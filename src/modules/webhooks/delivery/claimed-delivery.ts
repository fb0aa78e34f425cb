import type { WebhookMessage } from './webhook-sender.service.js';

export interface DueDelivery {
  id: number;
  accountId: number;
  receiver: string;
}

/** A delivery that a worker has claimed. */
export interface ClaimedDelivery extends DueDelivery, Omit<WebhookMessage, 'secrets'> {
  callId: number | null;
  test: boolean;
  url: string;
  /** Null: the account has had no need of one yet. */
  secrets: string[] | null;
  /** Failed attempts since the first or since the last replay. */
  roundAttempts: number;
  /** Tells this claim from later ones of the same row. */
  claim: number;
}
