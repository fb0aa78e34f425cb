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

export class AssistantNotActive extends Unprocessable {
  constructor() {
    super('The assistant is not active.');
  }
}
