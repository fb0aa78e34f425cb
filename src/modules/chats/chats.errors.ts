import { ApiError, BadRequest, NotFound, Unprocessable } from '#src/common/errors/api-error.js';

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

export class ChatResponsePending extends ApiError {
  constructor() {
    super(409, 'A message waits for its answer. Try again.');
  }
}

export class ChatBalanceTooLow extends BadRequest {
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

/** Clients of the route read `status` and `error`, too. */
export class ChatToSwitchNotFound extends ApiError {
  constructor() {
    const { status, message } = new ChatNotFound();
    super(status, message, { status: false, error: message });
  }
}

/** Clients of the route read `success`, `error` and `code`, too. */
export class ReplyRefused extends ApiError {
  constructor(status: 402 | 404 | 429, code: ReplyErrorCode, { message, body, headers }: ApiError) {
    super(status, message, { ...body, success: false, error: message, code }, headers);
  }
}

export const REPLY_ERROR_CODES = [
  'ASSISTANT_NOT_FOUND',
  'INSUFFICIENT_BALANCE',
  'SPEND_LIMIT_REACHED',
] as const;
export type ReplyErrorCode = (typeof REPLY_ERROR_CODES)[number];

/** Of everything that needs a WhatsApp sender: there is none. */
export class SenderNotFound extends ApiError {
  constructor() {
    const message = 'Sender not found';
    super(404, message, { success: false, error: message, error_code: 'SENDER_NOT_FOUND' });
  }
}

export class AssistantNotActive extends Unprocessable {
  constructor() {
    super('The assistant is not active.');
  }
}
