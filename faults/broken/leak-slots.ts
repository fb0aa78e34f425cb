/** Planted defect: of some calls the slot is not released when they end. */
import 'reflect-metadata';
import { CallAttemptsRepository } from '#src/modules/dialer/call-attempts.repository.js';

/** One of so many. */
const LEAKS = 5;

const { closeAttempt } = CallAttemptsRepository.prototype;
CallAttemptsRepository.prototype.closeAttempt = async function (callId) {
  return callId % LEAKS === 0 ? null : closeAttempt.call(this, callId);
};
