import { Unprocessable } from '#src/common/errors/api-error.js';

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
