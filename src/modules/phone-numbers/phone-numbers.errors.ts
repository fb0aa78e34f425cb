import { ApiError, NotFound, Unprocessable } from '#src/common/errors/api-error.js';

export class PhoneNumberImpossible extends Unprocessable {
  constructor() {
    super('The phone number is not a possible number.');
  }
}

export class PhoneNumberTaken extends Unprocessable {
  constructor() {
    super('The phone number already belongs to an account.');
  }
}

export class PhoneNumberNotFound extends NotFound {
  constructor() {
    super('Phone number not found');
  }
}

export class PhoneNumberNotAvailable extends Unprocessable {
  constructor() {
    super('The phone number is not available.');
  }
}

/** The law of its country requires documents that the operator has not sent to the carrier. */
export class PhoneNumberNeedsAddress extends Unprocessable {
  constructor() {
    super('The phone number requires an address that the provider does not have.');
  }
}

export class TooManyPhoneNumbers extends Unprocessable {
  constructor(limit: number) {
    super(`An account can have at most ${limit} phone numbers.`);
  }
}

export class BalanceTooLowForNumber extends ApiError {
  constructor() {
    super(402, 'Insufficient balance to purchase the number.');
  }
}

/** The carrier was not reachable, or failed. Nothing was bought and nothing is charged. */
export class PurchaseFailed extends ApiError {
  constructor() {
    super(500, 'Failed to purchase the phone number');
  }
}

export class SearchFailed extends ApiError {
  constructor() {
    super(500, 'Failed to search phone numbers');
  }
}

export class CallOnPhoneNumber extends Unprocessable {
  constructor() {
    super('The phone number cannot be released while a call runs on it.');
  }
}

export class PurchaseUnconfirmed extends Unprocessable {
  constructor() {
    super('The phone number cannot be released until the provider has confirmed its purchase.');
  }
}
