/** Ends the process with SIGKILL when a call reaches the step named by a file in the directory FAULT_STEPS. */
import 'reflect-metadata';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventsRepository } from '#src/events/events.repository.js';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { CallAttemptsRepository } from '#src/modules/dialer/call-attempts.repository.js';
import { DialQueueService } from '#src/modules/dialer/dial-queue.service.js';
import { OutboundCallsService } from '#src/modules/dialer/outbound-calls.service.js';
import { LeadQueueService } from '#src/modules/leads/lead-queue.service.js';
import { TwilioCarrierService } from '#src/modules/telephony/twilio/twilio-carrier.service.js';
import { takeFile, type CallStep } from '../support/call-steps.js';

/** Until a request has left the process. */
const SENT_MS = 5;

const dir = process.env.FAULT_STEPS ?? '';

const isChosen = (step: CallStep): boolean => takeFile(join(dir, step));
const end = (): void => void process.kill(process.pid, 'SIGKILL');

type Method = (...args: never[]) => unknown;

/** The step is reached when the method is called. */
function before<K extends string>(prototype: Record<K, Method>, name: K, step: CallStep): void {
  const original = prototype[name];
  prototype[name] = function (this: unknown, ...args: never[]) {
    if (isChosen(step)) end();
    return Reflect.apply(original, this, args);
  };
}

before(OutboundCallsService.prototype, 'placeCall', 'committed');
before(CallStateService.prototype, 'markPlaced', 'answered');
before(CallAttemptsRepository.prototype, 'countPlaced', 'stored');
before(CallStateService.prototype, 'applyReport', 'reported');
before(DialQueueService.prototype, 'dialAfterCall', 'ended');
before(DialQueueService.prototype, 'resumeWaitingCampaigns', 'closed');
before(LeadQueueService.prototype, 'recordOutcomes', 'settling');
before(EventsRepository.prototype, 'markHandled', 'settled');

const { createCalls } = OutboundCallsService.prototype;
OutboundCallsService.prototype.createCalls = async function (tx, calls) {
  const opened = await createCalls.call(this, tx, calls);
  if (opened.length > 0 && isChosen('claimed')) end();
  return opened;
};

const { placeCall } = TwilioCarrierService.prototype;
TwilioCarrierService.prototype.placeCall = function (request) {
  const answer = placeCall.call(this, request);
  if (isChosen('asked')) void sleep(SENT_MS).then(end);
  return answer;
};
