import { ApiError, Unprocessable } from '#src/common/errors/api-error.js';
import { endOfHour } from './spend-hour.js';

/** The account has reached a limit of its plan; existing resources above a limit are kept. */
export class PlanLimitReached extends Unprocessable {
  constructor(limit: number, things: 'assistants' | 'campaigns' | 'leads per campaign') {
    super(`You have reached your plan limit of ${limit} ${things}. Please upgrade your plan to create more.`);
  }
}

/** What a spend limit has refused. */
export interface LimitRefusal {
  accountId: number;
  /** Of the API key that would have spent; null: none. */
  keyId: number | null;
  /** The price of it; of a call that of a minute. */
  neededMicros: bigint;
  /** Whether the limit is that of the API key. */
  isOfKey: boolean;
}

/** The spend limit of the account or of the API key leaves too little; it begins anew with the next hour. */
export class SpendLimitExceeded extends ApiError {
  constructor(
    readonly refusal: LimitRefusal,
    now = new Date(),
  ) {
    const retryAfter = Math.ceil((endOfHour(now).getTime() - now.getTime()) / 1000);
    super(
      429,
      `The hourly spend limit of ${refusal.isOfKey ? 'this API key' : 'the account'} is reached.`,
      { retry_after: retryAfter },
      { 'Retry-After': String(retryAfter) },
    );
  }
}

/** An operator's request cannot be carried out; the message has the reason and can be printed. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OperatorError';
  }
}
