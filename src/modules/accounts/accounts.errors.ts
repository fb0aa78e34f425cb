import { Unprocessable } from '#src/common/errors/api-error.js';

/** The account has reached a limit of its plan; existing resources above a limit are kept. */
export class PlanLimitReached extends Unprocessable {
  constructor(limit: number, things: 'assistants' | 'campaigns' | 'leads per campaign') {
    super(`You have reached your plan limit of ${limit} ${things}. Please upgrade your plan to create more.`);
  }
}

/** An operator's request cannot be carried out; the message has the reason and can be printed. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OperatorError';
  }
}
