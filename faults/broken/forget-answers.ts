/** Loaded before the service: the answer to a keyed request is not kept. */
import 'reflect-metadata';
import { IdempotencyService } from '#src/common/idempotency/idempotency.service.js';

IdempotencyService.prototype.storeAnswer = function (lock) {
  return this.releaseKey(lock);
};
