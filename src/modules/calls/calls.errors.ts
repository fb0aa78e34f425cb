import { NotFound } from '#src/common/errors/api-error.js';

export class CallNotFound extends NotFound {
  constructor() {
    super('Call not found');
  }
}
