import { Unprocessable } from '#src/common/errors/api-error.js';

/** The account has as many of something as its plan allows; what it has above a limit it keeps. */
export class PlanLimitReached extends Unprocessable {
  constructor(limit: number, things: 'assistants' | 'campaigns' | 'leads per campaign') {
    super(`You have reached your plan limit of ${limit} ${things}. Please upgrade your plan to create more.`);
  }
}

/** What an operator asked for cannot be done; the message says why and may be printed as it is. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OperatorError';
  }
}
