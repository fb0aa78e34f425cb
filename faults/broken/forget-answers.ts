/** Loaded before the service: the answer to a keyed request is not kept. */
import 'reflect-metadata';
import { IdempotencyKeys } from '#src/common/idempotency/idempotency-keys.js';

IdempotencyKeys.prototype.answer = function (lock) {
  return this.release(lock);
};
