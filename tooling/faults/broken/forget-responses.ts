/** Planted defect: the response to a request with an Idempotency-Key is not stored. */
import 'reflect-metadata';
import { IdempotencyService } from '#src/http/idempotency/idempotency.service.js';

IdempotencyService.prototype.storeResponse = function (lock) {
  return this.releaseKey(lock);
};
