import { ApiError, NotFound, Unprocessable } from '#src/common/errors/api-error.js';

export class ChatNotFound extends NotFound {
  constructor() {
    super('Conversation not found');
  }
}

export class ChatHasEnded extends ApiError {
  constructor() {
    super(409, 'The conversation has ended.');
  }
}

export class ChatBalanceTooLow extends Unprocessable {
  constructor() {
    super('Insufficient balance. Please top up your account.');
  }
}

/** Test conversations are free: each begins so many hours after the one that the limit counts first. */
export class TestLimitReached extends ApiError {
  constructor(limit: number, retryAfter: number) {
    super(
      429,
      `You have reached your plan limit of ${limit} test conversations in 24 hours.`,
      { retry_after: retryAfter },
      { 'Retry-After': String(retryAfter) },
    );
  }
}

export class AssistantNotActive extends Unprocessable {
  constructor() {
    super('The assistant is not active.');
  }
}
