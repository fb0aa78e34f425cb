/** Planted defect: campaigns continue to send requests to a failing carrier. */
import 'reflect-metadata';
import { CarrierBreakerService } from '#src/modules/telephony/carrier-breaker.service.js';

CarrierBreakerService.prototype.recordFailure = async () => undefined;
