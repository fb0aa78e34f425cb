/** Planted defect: the slots of some calls are taken again when they were released. */
import 'reflect-metadata';
import { CallAttemptsRepository } from '#src/modules/dialer/call-attempts.repository.js';

/** One of so many calls that the carrier took. */
const LEAKS = 5;

const { closeAttempt } = CallAttemptsRepository.prototype;
CallAttemptsRepository.prototype.closeAttempt = async function (callId) {
  const closed = await closeAttempt.call(this, callId);
  if (closed?.wasPlaced && callId % LEAKS === 0)
    await this['attempts'].update({ callId }, { state: 'placed', closedAt: null });
  return closed;
};
