import { ApiError, NotFound } from '#src/common/errors/api-error.js';
import { DAY_MS } from '#src/common/time/durations.js';

export class AssistantNotFound extends NotFound {
  constructor() {
    super('Assistant not found');
  }
}

/** Visitors of the assistant have used the budget of a day; the next day begins at midnight UTC. */
export class WidgetBudgetUsed extends ApiError {
  constructor(now = Date.now()) {
    const retryAfter = Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
    super(
      429,
      'The budget of this widget for today is used up.',
      { retry_after: retryAfter },
      { 'Retry-After': String(retryAfter) },
    );
  }
}

export class OriginNotAllowed extends ApiError {
  constructor() {
    super(403, 'This origin is not allowed.');
  }
}
