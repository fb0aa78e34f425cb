import { NotFound, Unprocessable } from '#src/common/errors/api-error.js';

export class CallNotFound extends NotFound {
  constructor() {
    super('Call not found');
  }
}

export class CallHasEnded extends Unprocessable {
  constructor() {
    super('The call is over.');
  }
}
