import { BadRequest, Unprocessable } from '#src/common/errors/api-error.js';

export class InvalidNumberFormat extends BadRequest {
  constructor() {
    super('Invalid phone number format. Please use E.164 format (e.g. +14155552671)');
  }
}

/** Why a call may not be made now. */
const CALL_REFUSALS = {
  balance: 'Insufficient balance to make call. Please top up your account.',
  suppressed: 'The phone number is on the suppression list.',
  notOutbound: 'The assistant is not an outbound assistant.',
  notActive: 'The assistant is not active.',
  noNumber: 'There is no phone number to call from.',
  destination: 'Calls to this destination are not allowed.',
  busy: 'A call to this number is already in progress.',
  tooOften: 'This number has been called too often.',
  parallel: 'The maximum number of parallel calls is reached.',
} as const;

export class CallRefused extends Unprocessable {
  constructor(reason: keyof typeof CALL_REFUSALS) {
    super(CALL_REFUSALS[reason]);
  }
}
