import { ApiError, BadRequest, Unprocessable } from '../errors/api-error.js';

export class IdempotencyKeyMalformed extends BadRequest {
  constructor() {
    super('The Idempotency-Key header must have 1 to 255 visible characters.');
  }
}

export class IdempotencyKeyReused extends Unprocessable {
  constructor() {
    super('This Idempotency-Key was used with another request.');
  }
}

export class IdempotencyKeyInFlight extends ApiError {
  constructor() {
    super(409, 'A request with this Idempotency-Key is still in progress.', {}, { 'Retry-After': '1' });
  }
}
