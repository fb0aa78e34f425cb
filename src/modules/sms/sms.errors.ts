import { ApiError, BadRequest, NotFound } from '#src/common/errors/api-error.js';

export class SmsNotFound extends NotFound {
  constructor() {
    super('SMS not found');
  }
}

export class FromNumberNotFound extends BadRequest {
  constructor() {
    super('From number not found');
  }
}

export class NotSmsCapable extends BadRequest {
  constructor() {
    super('Phone number is not SMS-capable');
  }
}

export class SubscriptionNotActive extends BadRequest {
  constructor() {
    super('Phone number subscription is not active');
  }
}

export class BalanceTooLow extends BadRequest {
  constructor() {
    super('Insufficient balance to send SMS');
  }
}

export class DestinationRefused extends BadRequest {
  constructor() {
    super('Messages to this destination are not allowed.');
  }
}

/** The recipient's data was erased, and the number is to stay on the suppression list; or it is being erased. */
export class RecipientErased extends BadRequest {
  constructor() {
    super('The phone number is on the suppression list.');
  }
}

export class RecipientInvalid extends BadRequest {
  constructor() {
    super('Invalid phone number format');
  }
}

/** The message was not sent, and its cost was refunded. */
export class SmsNotSent extends ApiError {
  constructor(error: string) {
    super(500, 'Failed to send SMS', { error });
  }
}
